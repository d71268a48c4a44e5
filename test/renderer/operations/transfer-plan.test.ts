import { describe, expect, it } from 'vitest';
import { linkDraft } from '../../../renderer/operations/transfer/link-draft.ts';
import { type Destination, planTransfer, type Source } from '../../../renderer/operations/transfer/plan.ts';
import { actionOf, isPicked, type TransferKind } from '../../../renderer/operations/transfer/rows.ts';
import { shiftRules, shiftTimestamp } from '../../../renderer/operations/transfer/timestamp-shift.ts';
import type { Campaign } from '../../../server/contract/campaigns.ts';
import type { LinkDetails } from '../../../server/contract/links.ts';
import { newLink } from '../../../server/contract/links.ts';
import { account } from '../page.ts';

const date = '2026-01-15 12:00:00';

function linkOf(id: number, fields: Partial<LinkDetails> = {}): LinkDetails {
  const alias = fields.alias ?? `a${id}`;
  return {
    id,
    alias,
    shorturl: `https://old.example/${alias}`,
    longurl: `https://example.com/${id}`,
    title: null,
    clicks: 7,
    domain: 'https://old.example',
    campaign: null,
    channel: [],
    status: 'public',
    date,
    ...fields,
  };
}

function campaignOf(id: number, name: string, fields: Partial<Campaign> = {}): Campaign {
  return {
    id,
    name,
    slug: `s${id}`,
    public: true,
    rotator: `https://old.example/r/s${id}`,
    list: 'x',
    ...fields,
  };
}

function source(fields: Partial<Source> = {}): Source {
  return { campaigns: [], channels: [], links: [], timezone: 'UTC', hosts: new Set(), ...fields };
}

function there(fields: Partial<Destination> = {}): Destination {
  return {
    campaigns: [],
    channels: [],
    links: [],
    account: { ...account, domain: 'https://new.example' },
    hosts: new Set(),
    origin: 'https://new.example',
    isBaseContract: false,
    ...fields,
  };
}

const everything = new Set<TransferKind>(['campaigns', 'channels', 'links']);
const choices = { kinds: everything, isNarrowed: false, opensProtected: false };

describe('a timestamp of another account', () => {
  it('stays the same instant', () => {
    expect(shiftTimestamp('2026-07-01 12:00:00', 'UTC', 'Europe/Berlin')).toEqual({
      text: '2026-07-01 14:00:00',
      isExact: true,
    });
    expect(shiftTimestamp('2026-01-01 00:30:00', 'Asia/Kolkata', 'America/New_York')).toEqual({
      text: '2025-12-31 14:00:00',
      isExact: true,
    });
    expect(shiftTimestamp('2026-07-01 12:00:00', 'UTC', 'UTC').text).toBe('2026-07-01 12:00:00');
  });

  it('is marked inexact if the local time is ambiguous, or the zone unknown', () => {
    // 00:30 UTC is the first 02:30 of that night in Berlin, 01:30 UTC the second.
    const both = ['2026-10-25 00:30:00', '2026-10-25 01:30:00'].map((text) =>
      shiftTimestamp(text, 'UTC', 'Europe/Berlin'),
    );
    expect(both.map(({ text }) => text)).toEqual(['2026-10-25 02:30:00', '2026-10-25 02:30:00']);
    expect(both.filter(({ isExact }) => isExact)).toHaveLength(1);
    expect(shiftTimestamp('2026-07-01 12:00:00', 'Mars/Base', 'UTC')).toEqual({
      text: '2026-07-01 12:00:00',
      isExact: false,
    });
  });

  it('is only shifted in date conditions', () => {
    const { rules } = shiftRules(
      [
        {
          conditions: [
            { type: 'date', op: 'between', value: ['2026-07-01 10:00:00', '2026-07-02 10:00:00'] },
            { type: 'date', op: 'after', value: '2026-01-01 10:00:00' },
            { type: 'schedule', op: 'between', value: { from: '09:00', to: '17:00', timezone: 'UTC' } },
            { type: 'query', op: 'is', value: '2026-07-01 10:00:00' },
          ],
          link: 'https://example.com/x',
        },
      ],
      'UTC',
      'Europe/Berlin',
    );
    expect(rules[0]?.conditions.map(({ value }) => value)).toEqual([
      ['2026-07-01 12:00:00', '2026-07-02 12:00:00'],
      '2026-01-01 11:00:00',
      { from: '09:00', to: '17:00', timezone: 'UTC' },
      '2026-07-01 10:00:00',
    ]);
  });
});

describe('the body that recreates a link', () => {
  it('has everything that can be copied and is accepted by the server', () => {
    const { draft, notes } = linkDraft(
      linkOf(1, {
        title: 'Spring',
        description: 'About',
        note: 'Mine',
        type: 'frame',
        status: 'private',
        expiry: '2026-07-01 12:00:00',
        notbefore: '2026-01-01 12:00:00',
        clicklimit: 10,
        expirationredirect: 'https://example.com/late',
        rules: [{ conditions: [{ type: 'country', op: 'is', value: 'DE' }], link: 'https://example.com/de' }],
        location: { Germany: 'https://example.com/de' },
        abtesting: [{ url: 'https://example.com/b', percentage: 20 }],
        parameters: [{ name: 'utm_source', value: 'x' }],
        deeplink: { auto: true, apple: 'https://apps.example/1' },
        metatitle: 'T',
        metadescription: 'D',
        metaimage: 'https://example.com/i.png',
        redirect: 307,
        forwardquery: true,
        archived: false,
        locked: true,
      }),
      'UTC',
      'Europe/Berlin',
    );
    expect(notes).toEqual([]);
    expect(draft).toEqual({
      url: 'https://example.com/1',
      title: 'Spring',
      description: 'About',
      note: 'Mine',
      type: 'frame',
      status: 'private',
      expiry: '2026-07-01 14:00:00',
      notbefore: '2026-01-01 13:00:00',
      clicklimit: 10,
      expirationredirect: 'https://example.com/late',
      rules: [{ conditions: [{ type: 'country', op: 'is', value: 'DE' }], link: 'https://example.com/de' }],
      abtesting: [{ url: 'https://example.com/b', percentage: 20 }],
      parameters: [{ name: 'utm_source', value: 'x' }],
      deeplink: { auto: true, apple: 'https://apps.example/1' },
      metatitle: 'T',
      metadescription: 'D',
      metaimage: 'https://example.com/i.png',
      redirect: 307,
      forwardquery: true,
      archived: false,
      locked: true,
    });
    expect(newLink.safeParse(draft).success).toBe(true);
  });

  it('reports what cannot be copied', () => {
    const made = linkDraft(linkOf(1, { type: 'overlay-4', pixels: [3], protected: true }), 'UTC', 'UTC');
    expect(made.notes.toSorted()).toEqual(['display', 'password', 'pixels']);
    expect(made.draft).toEqual({ url: 'https://example.com/1', type: 'direct', status: 'public' });
    expect(linkDraft(linkOf(1, { type: '12' }), 'UTC', 'UTC').draft.type).toBe('direct');
  });

  it('keeps the targets of a server without rules', () => {
    const { draft } = linkDraft(
      linkOf(1, {
        location: { Germany: 'https://example.com/de' },
        device: { iPhone: 'https://example.com/i' },
      }),
      'UTC',
      'UTC',
    );
    expect(draft.geotarget).toEqual([{ location: 'Germany', link: 'https://example.com/de' }]);
    expect(draft.devicetarget).toEqual([{ device: 'iPhone', link: 'https://example.com/i' }]);
    expect(draft.languagetarget).toBeUndefined();
  });
});

describe('the plan of a copy', () => {
  it('distinguishes new, existing and conflicting records', () => {
    const rows = planTransfer(
      source({
        campaigns: [campaignOf(1, 'Spring'), campaignOf(2, 'SUMMER')],
        channels: [{ id: 5, name: 'Mail', description: null, color: '#FF0000', starred: true }],
        links: [linkOf(1), linkOf(2), linkOf(3)],
      }),
      there({
        campaigns: [{ id: 90, name: 'summer' }],
        links: [
          { alias: 'a2', longurl: 'https://example.com/2', domain: 'https://new.example', title: null },
          { alias: 'a3', longurl: 'https://example.com/other', domain: 'https://new.example', title: null },
          // The same alias on another domain is nobody's business.
          { alias: 'a1', longurl: 'https://example.com/x', domain: 'https://go.example', title: null },
        ],
      }),
      choices,
    );
    expect(rows.map(({ key, state }) => [key, state])).toEqual([
      ['campaigns:1', 'new'],
      ['campaigns:2', 'exists'],
      ['channels:5', 'new'],
      ['links:1', 'new'],
      ['links:2', 'exists'],
      ['links:3', 'conflict'],
    ]);
    expect(rows.map((row) => actionOf(row, 'skip'))).toEqual([
      'create',
      'leave',
      'create',
      'create',
      'leave',
      'leave',
    ]);
    expect(rows.map((row) => actionOf(row, 'rename'))).toEqual([
      'create',
      'leave',
      'create',
      'create',
      'leave',
      'rename',
    ]);
    expect(rows[0]).toMatchObject({
      draft: { name: 'Spring', public: true, slug: 's1' },
      isWithoutRotator: false,
    });
    expect(rows[2]).toMatchObject({ draft: { name: 'Mail', color: '#FF0000', starred: true } });
    expect(rows[3]).toMatchObject({ address: 'new.example/a1', draft: { custom: 'a1' } });
  });

  it('blocks what is impossible or needs a decision', () => {
    const links = [
      linkOf(1, { longurl: 'https://new.example/round' }),
      linkOf(2, { protected: true }),
      linkOf(3, {
        rules: [{ conditions: [{ type: 'city', op: 'is', value: 'Rome' }], link: 'https://example.com/r' }],
      }),
    ];
    const here = there({
      account: { ...account, domain: 'https://new.example', features: { geo: { enabled: false } } },
    });
    expect(
      planTransfer(source({ links }), here, choices).map(({ state, reason }) => [state, reason]),
    ).toEqual([
      ['blocked', 'loop'],
      ['blocked', 'password'],
      ['blocked', 'geo'],
    ]);
    const opened = planTransfer(source({ links }), here, { ...choices, opensProtected: true })[1];
    expect(opened).toMatchObject({ state: 'new', notes: ['password'] });
  });

  it('keeps a known domain and reports two originals with the same address', () => {
    const hosts = new Set(['go.example', 'only-here.example']);
    const rows = planTransfer(
      source({
        hosts,
        links: [
          linkOf(1, { alias: 'x', domain: 'https://go.example' }),
          linkOf(2, { alias: 'x', domain: 'https://only-here.example' }),
          linkOf(3, { alias: 'x' }),
        ],
      }),
      there({ hosts: new Set(['go.example']) }),
      choices,
    );
    expect(rows).toMatchObject([
      { state: 'new', address: 'go.example/x', draft: { domain: 'go.example', custom: 'x' }, notes: [] },
      { state: 'new', address: 'new.example/x', notes: ['domain'] },
      { state: 'conflict', reason: 'aliasTaken' },
    ]);
  });

  it('copies only groups that selected links are in, and reports missing ones', () => {
    const from = source({
      campaigns: [campaignOf(1, 'Used'), campaignOf(2, 'Unused')],
      channels: [{ id: 5, name: 'Mail', description: null, color: null, starred: false }],
      links: [linkOf(1, { campaign: 1, channel: [5] })],
    });
    const two = source({ ...from, campaigns: [campaignOf(1, 'Used', { urlcount: 2 })] });
    expect(planTransfer(two, there(), choices)[0]?.notes).toEqual(['weights']);
    const narrowed = planTransfer(from, there(), { ...choices, isNarrowed: true });
    expect(narrowed.map(({ name }) => name)).toEqual(['Used', 'Mail', 'a1']);
    expect(narrowed[2]).toMatchObject({ notes: [], campaign: 'Used', channels: ['Mail'] });

    const linksOnly = { ...choices, kinds: new Set<TransferKind>(['links']) };
    expect(planTransfer(from, there(), linksOnly)[0]?.notes).toEqual(['campaign', 'channel']);
    const known = there({ campaigns: [{ id: 9, name: 'used' }], channels: [{ id: 8, name: 'MAIL' }] });
    expect(planTransfer(from, known, linksOnly)[0]?.notes).toEqual([]);
  });

  it('sends a server with only the published contract what it supports', () => {
    const [spring, silent] = planTransfer(
      source({
        campaigns: [campaignOf(1, 'Spring'), campaignOf(2, 'Silent', { slug: null, rotator: false })],
      }),
      there({ isBaseContract: true }),
      choices,
    );
    expect(spring).toMatchObject({ draft: { name: 'Spring', public: true }, notes: ['slug'] });
    expect(spring).not.toHaveProperty('draft.slug');
    expect(silent).toMatchObject({ notes: ['rotator'], isWithoutRotator: false });
  });

  it('uses random aliases if the plan has no custom ones', () => {
    const here = there({
      account: { ...account, domain: 'https://new.example', permissions: { alias: false } },
      links: [
        { alias: 'a1', longurl: 'https://example.com/other', domain: 'https://new.example', title: null },
      ],
    });
    const [row] = planTransfer(source({ links: [linkOf(1)] }), here, choices);
    expect(row).toMatchObject({ state: 'new', address: undefined, notes: ['alias'] });
    expect(row).not.toHaveProperty('draft.custom');
  });

  it('replaces an alias with slashes by a random one, unless its domain exists there', () => {
    const link = linkOf(1, { alias: 'docs/start', domain: 'https://go.example' });
    const from = source({ links: [link], hosts: new Set(['go.example']) });
    const [moved] = planTransfer(from, there(), choices);
    expect(moved).toMatchObject({ state: 'new', address: undefined, notes: ['domain', 'slashes'] });
    expect(moved).not.toHaveProperty('draft.custom');
    const [kept] = planTransfer(from, there({ hosts: new Set(['go.example']) }), choices);
    expect(kept).toMatchObject({ address: 'go.example/docs/start', draft: { custom: 'docs/start' } });
  });

  it('finds links that an earlier copy created under other aliases', () => {
    const from = source({
      hosts: new Set(['go.example']),
      links: [
        linkOf(1, { alias: 'docs/start', domain: 'https://go.example', title: 'Start' }),
        linkOf(2, { alias: 'docs/one', domain: 'https://go.example', longurl: 'https://example.com/same' }),
        linkOf(3, { alias: 'docs/two', domain: 'https://go.example', longurl: 'https://example.com/same' }),
        linkOf(4, { alias: 'taken' }),
        linkOf(5, { alias: 'plain', longurl: 'https://example.com/same' }),
      ],
    });
    const at = (alias: string, longurl: string, title: string | null = null) => ({
      alias,
      longurl,
      title,
      domain: 'https://new.example',
    });
    const first = planTransfer(from, there({ links: [at('taken', 'https://example.com/other')] }), choices);
    expect(first.map(({ state }) => state)).toEqual(['new', 'new', 'new', 'conflict', 'new']);

    const copied = [
      at('taken', 'https://example.com/other'),
      at('xk3p', 'https://example.com/1', 'Start'),
      at('pq7r', 'https://example.com/same', 'Found there'),
      at('plain', 'https://example.com/same'),
      at('mm2t', 'https://example.com/4'),
    ];
    const again = planTransfer(from, there({ links: copied }), choices);
    expect(again.map(({ state, reason }) => [state, reason])).toEqual([
      ['exists', 'sameDestination'],
      ['exists', 'sameDestination'],
      // Two originals to one destination stay two links, and the one with an alias of its own is not taken for either.
      ['new', undefined],
      ['exists', 'sameDestination'],
      ['exists', 'sameLink'],
    ]);
    // Nothing there says that these are copies, so they can be copied all the same.
    expect(again.map((row) => [isPicked(row), actionOf(row, 'skip')])).toEqual([
      [false, 'create'],
      [false, 'create'],
      [true, 'create'],
      [false, 'rename'],
      [true, 'leave'],
    ]);
    const renamed = at('xk3p', 'https://example.com/1', 'Another page');
    expect(planTransfer(from, there({ links: [renamed] }), choices)[0]?.state).toBe('new');
  });

  it('recognizes a copy with a title by its original, and ignores what cannot be copied', () => {
    const longurl = 'https://example.com/same';
    const at = { longurl, domain: 'https://new.example', title: 'Second', alias: 'xk3p' };
    const slashed = (id: number, fields: object) => linkOf(id, { alias: `docs/${id}`, longurl, ...fields });
    const two = source({ links: [slashed(1, {}), slashed(2, { title: 'Second' })] });
    const states = (from: Source) =>
      planTransfer(from, there({ links: [at] }), choices).map(({ state }) => state);
    expect(states(two)).toEqual(['new', 'exists']);
    const blocked = source({
      links: [slashed(1, { title: 'Second', protected: true }), slashed(2, { title: 'Second' })],
    });
    expect(states(blocked)).toEqual(['blocked', 'exists']);
  });
});
