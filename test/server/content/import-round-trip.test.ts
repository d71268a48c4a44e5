import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportRow } from '../../../server/contract/import.ts';
import { shapeOf } from '../../../server/contract/import-columns.ts';
import { fileRows } from '../../../server/contract/import-rows.ts';
import { readCsvFile } from '../../../server/operations/commands/read-csv.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { anotherName } from '../../support/names.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { browsers, visit } from '../../support/visits.ts';

const host = 'go.example.com';
let from: TestApp;
let to: TestApp;
beforeAll(async () => {
  from = await startApp();
  to = await startApp({ trustedProxies: ['127.0.0.1'] });
  for (const server of [from, to]) {
    const id = addDomain(server, host, 1);
    await server.request('PUT', `/api/domain/${id}/aliases`, { body: { slashes: true } });
  }
});
afterAll(async () => {
  await from.close();
  await to.close();
});

const post = async (server: TestApp, path: string, body: unknown) =>
  (await server.request('POST', path, { body })).body;
const importRows = (rows: object[], more: object = {}) => post(to, '/api/urls/import', { rows, ...more });
const urlsOf = async (server: TestApp) =>
  (await server.request('GET', '/api/urls/export?format=json')).body.urls as Record<string, unknown>[];

/** The rows of an exported file, as the import page and the command read them. */
async function exportedRows(): Promise<ImportRow[]> {
  const file = join(to.folder, 'links.csv');
  writeFileSync(file, (await from.request('GET', '/api/urls/export')).body);
  const table = readCsvFile(file);
  const shape = shapeOf(table);
  const rows = fileRows(table, shape, shape.mapping, 'UTC');
  expect(rows.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  return rows.map(({ row }) => row);
}

const ruleBefore = (value: string) => ({
  conditions: [{ type: 'date', op: 'before', value }],
  link: 'https://example.com/before',
});

/** What is not the same elsewhere, or belongs to the account. */
const elsewhere = ['id', 'shorturl', 'domain', 'campaign', 'channel', 'version', 'created_by', 'updated_by'];
const lasting = (link: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(link).filter(([name]) => !elsewhere.includes(name)));

const links: Record<string, object> = {
  plain: {},
  texts: {
    title: '=1+1 "quoted",  שלום 🐙　全角',
    description: '- one\n"two"',
    note: "'@SUM(A1)\n\n日本語",
    archived: true,
  },
  'docs/start': {
    domain: host,
    rules: [
      { conditions: [{ type: 'continent', op: 'is', value: 'EU' }], link: 'https://example.com/eu' },
      {
        conditions: [
          { type: 'region', op: 'in', value: ['California', 'Oregon'] },
          { type: 'date', op: 'before', value: '2027-06-01 10:00:00' },
        ],
        link: 'https://example.com/west',
      },
    ],
    geotarget: [{ location: 'Germany', link: 'https://example.com/de' }],
    deeplink: { auto: true, apple: 'https://apps.apple.com/app/id1' },
    parameters: [{ name: 'ref', value: 'a b' }],
  },
  tested: {
    abtesting: [{ url: 'https://example.com/b', percentage: 30 }],
    testuntil: '2027-03-01',
    testwinner: 'https://example.com/b',
    archiveon: '2027-04-01',
    deleteon: '2027-05-01',
    expiry: '2027-03-15',
    notbefore: '2027-01-20',
    clicklimit: 5,
    expirationredirect: 'https://example.com/over',
  },
  shown: {
    type: 'frame',
    status: 'private',
    redirect: 307,
    forwardquery: true,
    locked: true,
    metatitle: 'Card',
    metadescription: 'Of the link',
    // Stored in three times as many characters as it is written in.
    metaimage: `https://example.com/${'ж'.repeat(400)}.png`,
  },
};

describe('a CSV export that is imported elsewhere', () => {
  beforeAll(async () => {
    const campaign = (await post(from, '/api/campaign/add', { name: 'Spring "2027", sale' })).id;
    const channel = async (name: string) => (await post(from, '/api/channel/add', { name })).id;
    const channels = [await channel('print/2027'), await channel('one, two')];
    const odd = await channel('bar | slash \\');
    for (const [custom, fields] of Object.entries(links)) {
      const grouped = { campaign, channel: custom === 'plain' ? [channels[1]] : [...channels, odd] };
      const body = {
        url: `https://example.com/?of=${encodeURIComponent(custom)}`,
        custom,
        ...grouped,
        ...fields,
      };
      expect(await post(from, '/api/url/add', body)).toMatchObject({ error: 0 });
    }
    // Another way of showing links is the default there.
    await to.request('PUT', '/api/account/update', { body: { defaulttype: 'splash' } });
  });

  test('creates the same links, in the same campaign and channels', async () => {
    const rows = await exportedRows();
    const tried = (await importRows(rows, { dryrun: true })).data;
    expect(tried.campaigns).toEqual(['Spring "2027", sale']);
    expect(await urlsOf(to)).toEqual([]);
    const { data } = await importRows(rows);
    expect(
      data.rows.map(({ outcome, message }: ImportRow & Record<string, string>) => message ?? outcome),
    ).toEqual(Object.keys(links).map(() => 'create'));
    expect(data.campaigns).toEqual(['Spring "2027", sale']);
    const [before, after] = [await urlsOf(from), await urlsOf(to)];
    for (const link of before) {
      const copy = after.find(({ alias }) => alias === link.alias);
      expect(lasting(copy)).toEqual(lasting(link));
    }
    const again = (await importRows(rows)).data;
    expect(again.rows.every(({ outcome }: { outcome: string }) => outcome === 'exists')).toBe(true);
    expect([again.campaigns, again.channels]).toEqual([[], []]);
  });

  test('redirects visitors to the same places', async () => {
    const eu = { 'X-Forwarded-For': '85.214.132.117' };
    expect((await visit(to, '/docs/start', { headers: { Host: host, ...eu } })).location).toBe(
      'https://example.com/eu?ref=a%20b',
    );
    const phone = { Host: host, 'User-Agent': browsers.iphone };
    expect((await visit(to, '/docs/start', { headers: phone })).location).toBe(
      'https://apps.apple.com/app/id1',
    );
    expect((await visit(to, '/texts')).status).toBe(410);
    expect((await visit(to, '/tested')).status).toBe(404);
  });
});

describe("a row's settings", () => {
  const row = (alias: string, more: object) => ({ alias, url: 'https://example.com/row', ...more });

  test('that no link has are reported for that row only, with the field', async () => {
    const settings = [{ redirect: 200 }, { expirationredirect: 'nonsense' }];
    const { rows } = (
      await importRows([
        ...settings.map((each, index) => row(`odd-${index}`, { settings: each })),
        row(anotherName('fine'), {}),
      ])
    ).data;
    expect(rows.map(({ outcome, code }: Record<string, string>) => code ?? outcome)).toEqual([
      'invalid_settings',
      'invalid_url',
      'create',
    ]);
    expect(rows[0].message).toBe('Correct "settings.redirect", or leave the settings of this row out.');
  });

  test('change the link that a row replaces, and omitted ones stay', async () => {
    const kept = anotherName('kept');
    const { id } = await post(to, '/api/url/add', {
      ...row(kept, {}),
      custom: kept,
      type: 'direct',
      redirect: 301,
      clicklimit: 3,
    });
    const changed = row(kept, { url: 'https://example.com/new', settings: { redirect: 308 } });
    expect((await importRows([changed], { conflict: 'replace' })).data.rows[0].outcome).toBe('replace');
    const { details } = (await to.request('GET', `/api/url/${id}`)).body;
    expect(details).toMatchObject({ longurl: 'https://example.com/new', redirect: 308, clicklimit: 3 });
    const [change] = (await to.request('GET', `/api/url/${id}/history`)).body.data.changes;
    await to.request('POST', `/api/undo/${change.id}`);
    expect((await visit(to, `/${kept}`)).status).toBe(301);
  });

  test('are limited to what the plan allows, and campaigns to what the key may write', async () => {
    const free = secondAccount(to, 'frida', 1);
    const rules = [
      { conditions: [{ type: 'country', op: 'is', value: 'DE' }], link: 'https://example.com/de' },
    ];
    const body = { rows: [row('', { settings: { rules } })] };
    const reply = await free.request('POST', '/api/urls/import', { body });
    expect(reply.body.data.rows[0]).toMatchObject({ outcome: 'problem', code: 'plan_required' });
    const made = await to.request('POST', '/api/key/add', {
      body: { name: 'links', scopes: ['links:write'] },
    });
    const { api_key: key } = made.body.data;
    const refused = await to.request('POST', '/api/urls/import', {
      body: { rows: [row('', { campaign: 'Autumn' })] },
      key,
    });
    expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing']);
  });

  test('that are not valid JSON are reported before anything is sent', () => {
    const records = ['{"redirect":', '[1]', 'yes'].map((cell, index) => ({
      line: index + 1,
      cells: ['https://example.com/', cell],
    }));
    const rows = fileRows({ records }, { hasHeader: false }, { url: 0, settings: 1 }, 'UTC');
    expect(rows.map(({ fault }) => fault)).toEqual(['broken_settings', 'broken_settings', 'broken_settings']);
  });

  test('end a bare date at the end of that day', async () => {
    await importRows([row('until', { expiry: '2027-02-01' })]);
    const until = (await urlsOf(to)).find(({ alias }) => alias === 'until');
    expect(until?.expiry).toBe('2027-02-01 23:59:59');
  });

  test('do not create a campaign if the row is refused', async () => {
    const refused = row('', { campaign: 'Never', settings: { type: 'overlay-99' } });
    const { data } = await importRows([refused]);
    expect([data.rows[0].code, data.campaigns]).toEqual(['unknown_type', []]);
    expect((await to.request('GET', '/api/campaigns?q=Never')).body.data.campaigns).toEqual([]);
  });
});

describe('links that had a password', () => {
  const secret = (alias: string) => ({ alias, url: 'https://example.com/secret', protected: true });

  test('are imported as archived, and work once they have one', async () => {
    const alias = anotherName('secret');
    const [row] = (await importRows([{ ...secret(alias), settings: { type: 'direct' } }])).data.rows;
    expect(row).toMatchObject({ outcome: 'create', code: 'password_missing' });
    expect((await visit(to, `/${alias}`)).status).toBe(410);
    const body = { password: 'open sesame', archived: false };
    await to.request('PUT', `/api/url/${row.id}/update`, { body });
    const sent = { method: 'POST', body: 'password=open+sesame' };
    expect((await visit(to, `/${alias}`, sent)).location).toBe('https://example.com/secret');
  });

  test('do not replace a link without one', async () => {
    const alias = anotherName('open');
    const body = { url: 'https://example.com/open', custom: alias, type: 'direct' };
    const { id } = await post(to, '/api/url/add', body);
    const replace = async () => (await importRows([secret(alias)], { conflict: 'replace' })).data.rows[0];
    expect(await replace()).toMatchObject({ outcome: 'skip', code: 'password_needed' });
    expect((await visit(to, `/${alias}`)).location).toBe('https://example.com/open');
    await to.request('PUT', `/api/url/${id}/update`, { body: { password: 'open sesame' } });
    expect(await replace()).toMatchObject({ outcome: 'replace' });
    expect((await visit(to, `/${alias}`)).status).toBe(200);
  });

  test("are recognized by other services' columns, too", () => {
    const cells = ['yes', 'true', 'hunter2', 'no', 'false', '0', ''];
    const records = [
      { line: 1, cells: ['url', 'password'] },
      ...cells.map((cell, index) => ({ line: index + 2, cells: [`https://example.com/${index}`, cell] })),
    ];
    const shape = shapeOf({ records });
    const rows = fileRows({ records }, shape, shape.mapping, 'UTC').map(({ row }) => row);
    expect(rows.map((row) => row.protected ?? false)).toEqual([true, true, true, false, false, false, false]);
  });
});

describe("a row's time zone", () => {
  test('applies to its dates, also in its rules, whatever the account’s is', async () => {
    const date = { type: 'date', op: 'before', value: '2027-06-01 12:00:00' };
    const link = 'https://example.com/early';
    const settings = { notbefore: '2027-02-01 00:00:00', rules: [{ conditions: [date], link }] };
    const alias = anotherName('zoned');
    const zoned = { ...row(alias), expiry: '2027-07-01', timezone: 'Asia/Tokyo', settings };
    const [made] = (await importRows([zoned])).data.rows;
    const { details } = (await to.request('GET', `/api/url/${made.id}`)).body;
    expect([details.expiry, details.notbefore, details.rules[0].conditions[0].value]).toEqual([
      '2027-07-01 14:59:59',
      '2027-01-31 15:00:00',
      '2027-06-01 03:00:00',
    ]);
  });

  test('is UTC for a link with an ambiguous local time', async () => {
    const ends = ['2027-10-30 23:30:00', '2027-10-31 00:30:00', '2027-10-31 01:30:00', '2027-10-31 02:30:00'];
    const aliases = ends.map(() => anotherName('twice'));
    for (const [index, end] of ends.entries()) {
      const dated = index % 2 === 0 ? { expiry: end } : { rules: [ruleBefore(end)] };
      await post(from, '/api/url/add', { url: 'https://example.com/', custom: aliases[index], ...dated });
    }
    const zone = (timezone: string) => from.request('PUT', '/api/account/update', { body: { timezone } });
    await zone('Europe/Berlin');
    const rows = (await exportedRows()).filter(({ alias }) => aliases.includes(alias ?? ''));
    await zone('UTC');
    const zones = aliases.map((name) => rows.find(({ alias }) => alias === name)?.timezone);
    expect(zones.filter((name) => name === 'UTC')).toHaveLength(1);
    await importRows(rows);
    const copies = await urlsOf(to);
    const endOf = ({ expiry, rules }: Record<string, unknown> = {}) =>
      expiry ?? (rules as ReturnType<typeof ruleBefore>[])[0]?.conditions[0]?.value;
    expect(aliases.map((name) => endOf(copies.find(({ alias }) => alias === name)))).toEqual(ends);
  });

  test('is reported for the row if unknown', async () => {
    const { rows } = (await importRows([{ ...row(anotherName('odd')), timezone: 'Moon/Sea' }])).data;
    expect(rows[0]).toMatchObject({ outcome: 'problem', code: 'invalid_timezone', field: 'timezone' });
  });

  const row = (alias: string) => ({ alias, url: 'https://example.com/zoned' });
});

describe('short URLs in a file', () => {
  test("keep the domain if the account has it, and otherwise use the instance's address", async () => {
    const [ours, elsewhere] = [anotherName('ours'), anotherName('elsewhere')];
    const records = [
      { line: 1, cells: ['Long URL', 'Short URL'] },
      { line: 2, cells: ['https://example.com/ours', `${host}/${ours}`] },
      { line: 3, cells: ['https://example.com/elsewhere', `https://bit.ly/${elsewhere}`] },
    ];
    const shape = shapeOf({ records });
    const rows = fileRows({ records }, shape, shape.mapping, 'UTC').map(({ row }) => row);
    const direct = rows.map((row) => ({ ...row, settings: { type: 'direct' } }));
    const { data } = await importRows(direct);
    expect(data.rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['create', 'create']);
    expect((await visit(to, `/${ours}`, { headers: { Host: host } })).location).toBe(
      'https://example.com/ours',
    );
    expect((await visit(to, `/${ours}`)).status).toBe(404);
    expect((await visit(to, `/${elsewhere}`)).location).toBe('https://example.com/elsewhere');
  });
});
