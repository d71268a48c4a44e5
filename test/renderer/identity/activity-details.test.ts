import { describe, expect, it } from 'vitest';
import { detailText } from '../../../renderer/identity/activity/detail-text.ts';
import { translations } from '../../../renderer/ui/sentences.ts';

const { t, te } = translations().global;
const lists = new Intl.ListFormat('en', { type: 'unit' });
const words = { t, te, list: (texts: readonly string[]) => lists.format(texts) } as Parameters<
  typeof detailText
>[1];
const textOf = (details: Record<string, unknown>, username = 'bert') =>
  detailText({ details, user: { id: 2, username } }, words);

describe('the details of a log entry', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ from: 'a@example.com', to: 'b@example.com' }, 'a@example.com → b@example.com'],
    [{ device: 'Firefox on Linux' }, 'Firefox on Linux'],
    [{ key: 'Zapier', scopes: 'full' }, '“Zapier”, full access'],
    [{ key: 'Zapier', scopes: ['links:read', 'stats:write'] }, '“Zapier”, Links: Read, Statistics: Write'],
    [{ by: 'password' }, 'with the password'],
    [{ left: 0 }, 'no code left'],
    [{ left: 1 }, 'one code left'],
    [{ left: 7 }, '7 codes left'],
    [{ plan: 'Pro', fields: ['limits', 'permissions'] }, '“Pro”, limits, permissions'],
    [
      { fields: ['email', 'admin'], email: 'b@example.com', admin: true },
      'b@example.com, is an administrator',
    ],
    [{ fields: ['active', 'password'], active: false }, 'deactivated, password'],
    [{ fields: ['planId'], planid: 3 }, 'plan: 3'],
    [{ settings: ['privacy', 'retentionDays', 'ssl'] }, 'Privacy, Click retention, Certificates'],
    [{ trashed: 'links', removed: 12, username: 'mallory' }, 'Links, 12 removed, mallory'],
    [{ times: 30 }, '30 times'],
    [{ set: true }, 'secrets are included in backups'],
    [{ email: null }, ''],
    [{}, ''],
  ])('%j is told in words', (details, text) => {
    expect(textOf(details)).toBe(text);
  });

  it('do not repeat whom it is about', () => {
    expect(textOf({ username: 'bert' })).toBe('');
    expect(textOf({ username: 'bert', email: 'b@example.com' })).toBe('b@example.com');
    expect(textOf({ username: 'gone' })).toBe('gone');
  });

  it('show unknown fields by name, whatever a server sends', () => {
    expect(textOf({ color: 'red' })).toBe('color: red');
    expect(textOf({ nested: { a: 1 } })).toBe('nested: {"a":1}');
    expect(textOf({ settings: ['warp'], scopes: ['moon:read'] })).toBe('warp, moon:read');
    expect(textOf({ device: '@:ui.cancel {n} | <b>' })).toBe('@:ui.cancel {n} | <b>');
    expect(textOf({ __proto__: 'x', constructor: 'y' })).toContain('y');
  });
});
