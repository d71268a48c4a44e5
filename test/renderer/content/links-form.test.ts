import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkForm } from '../../../renderer/content/links/form/check-form.ts';
import {
  bodyOf,
  emptyForm,
  formOf,
  withoutBlankRows,
} from '../../../renderer/content/links/form/link-form-state.ts';
import type { LinkDetails } from '../../../server/contract/links.ts';
import { linkChange, newLink } from '../../../server/contract/links.ts';
import { readUtm, writeUtm } from '../../../server/contract/utm-address.ts';

const words = { required: 'required', address: 'address', percentage: 'percentage' };

const link: LinkDetails = {
  id: 7,
  alias: 'spring',
  shorturl: 'https://go.example/spring',
  longurl: 'https://example.com/spring',
  title: 'Spring',
  clicks: 3,
  channel: [1, 2],
  date: '2026-01-01 10:00:00',
  note: null,
  location: { germany: 'https://example.com/de', 'united states': 'https://example.com/us' },
  device: { iphone: 'https://example.com/ios' },
  language: { fr: 'https://example.com/fr' },
  parameters: [{ name: 'ref', value: 'x' }],
  abtesting: [{ url: 'https://example.com/b', percentage: 30 }],
  deeplink: { auto: true },
  expiry: '2027-01-31 18:30:00',
  clicklimit: 5,
  redirect: 307,
  forwardquery: true,
  locked: false,
};

describe('the link form', () => {
  it('sends nothing if nothing was changed', () => {
    expect(bodyOf(formOf(link), formOf(link))).toEqual({});
  });

  it('sends only what was changed', () => {
    const form = { ...formOf(link), title: '', clicklimit: null, channel: [2] };
    expect(bodyOf(form, formOf(link))).toEqual({ title: null, clicklimit: null, channel: [2] });
  });

  it('shows countries by code and devices by name', () => {
    const form = formOf(link);
    expect(form.geotarget.map((row) => row.location)).toEqual(['DE', 'US']);
    expect(form.devicetarget[0]?.device).toBe('iPhone');
  });

  it('sends a password only if it was typed or removed', () => {
    expect(bodyOf({ ...formOf(link), password: 'secret' }, formOf(link))).toEqual({ password: 'secret' });
    expect(bodyOf({ ...formOf(link), openToAll: true }, formOf(link))).toEqual({ password: null });
  });

  it('builds bodies that the contract accepts', () => {
    const form = { ...formOf(link), password: 'x', expiry: '2027-02-01T09:00', note: 'n' };
    expect(newLink.safeParse({ url: form.url, ...bodyOf(form, emptyForm()) }).success).toBe(true);
    expect(linkChange.safeParse(bodyOf(form, formOf(link))).success).toBe(true);
  });

  it('drops blank rows', () => {
    const form = withoutBlankRows({
      ...emptyForm(),
      geotarget: [
        { location: '', link: '' },
        { location: 'DE', link: 'https://example.com' },
      ],
      abtesting: [{ url: '', percentage: 50 }],
    });
    expect(form.geotarget).toHaveLength(1);
    expect(form.abtesting).toEqual([]);
  });
});

describe('checking the form', () => {
  const problems = (part: object) =>
    checkForm({ ...emptyForm(), url: 'https://example.com', ...part }, words);

  it('accepts a simple link', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ url: 'example.com/path' })).toEqual([]);
  });

  it('requires the destination to be a URL', () => {
    expect(problems({ url: ' ' })).toEqual([{ name: 'url', message: 'required' }]);
    expect(problems({ url: 'javascript:alert(1)' })).toEqual([{ name: 'url', message: 'address' }]);
  });

  it('reports the invalid row, and ignores blank rows', () => {
    expect(
      problems({
        geotarget: [
          { location: '', link: '' },
          { location: 'DE', link: '' },
        ],
      }),
    ).toEqual([{ name: 'geotarget.1.link', message: 'required' }]);
  });

  it('refuses shares that add up to more than 100 percent', () => {
    const abtesting = [
      { url: 'https://a.example', percentage: 60 },
      { url: 'https://b.example', percentage: 60 },
    ];
    expect(problems({ abtesting })).toEqual([{ name: 'abtesting', message: 'percentage' }]);
  });
});

describe('the UTM builder', () => {
  it('writes UTM values into the URL and reads them back, whatever they are', () => {
    const value = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => text === text.trim());
    const marks = fc.record({ source: value, medium: value, campaign: value, term: value, content: value });
    fc.assert(
      fc.property(marks, (utm) => {
        expect(readUtm(writeUtm('https://example.com/a?b=1#c', utm))).toEqual(utm);
      }),
    );
  });

  it('leaves the rest of the URL unchanged', () => {
    const none = { source: '', medium: '', campaign: '', term: '', content: '' };
    const address = 'https://example.com/a%20b?x=%7E&y=1+2#part?q';
    expect(writeUtm(address, none)).toBe(address);
    expect(writeUtm(`${address.replace('#', '&utm_source=old#')}`, none)).toBe(address);
    expect(writeUtm(address, { ...none, source: 'a b' })).toBe(
      'https://example.com/a%20b?x=%7E&y=1+2&utm_source=a%20b#part?q',
    );
  });
});
