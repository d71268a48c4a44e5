// Files of other services: domains that are theirs, what was archived there, and days that have passed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImportRow, importLinks } from '../../../server/contract/import.ts';
import { shapeOf } from '../../../server/contract/import-columns.ts';
import { fileRows } from '../../../server/contract/import-rows.ts';
import { addLink } from '../../../server/contract/links.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { anotherName } from '../../support/names.ts';
import { addDomain } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

const host = 'go.example.com';
let server: TestApp;
beforeAll(async () => {
  server = await startApp({ trustedProxies: ['127.0.0.1'] });
  addDomain(server, host, 1);
});
afterAll(() => server.close());

const url = 'https://example.com/elsewhere';
const send = async (rows: ImportRow[], more: object = {}) =>
  (await server.call(importLinks, { body: { rows, ...more } })).data.rows;
const leadsTo = async (alias: string, at?: string) => {
  const { status, location } = await visit(
    server,
    `/${alias}`,
    at === undefined ? {} : { headers: { host: at } },
  );
  return location ?? status;
};

/** The rows of a file by the lines of it. */
function rowsOf(...lines: string[][]): ImportRow[] {
  const table = { records: lines.map((cells, index) => ({ line: index + 1, cells })) };
  const shape = shapeOf(table);
  return fileRows(table, shape, shape.mapping, 'UTC').map(({ row }) => row);
}

test("rows on another service's domain go to the account's domain that is chosen for them", async () => {
  const [theirs, ours, own] = ['theirs', 'ours', 'own'].map((name) => anotherName(name)) as [
    string,
    string,
    string,
  ];
  const rows = rowsOf(
    ['Domain', 'Alias', 'Long URL'],
    ['tinyurl.com', theirs, url],
    [host, ours, `${url}/2`],
  );
  const outcomes = async (more: object) =>
    (await send(rows, more)).map(({ outcome, code }) => code ?? outcome);
  expect(await outcomes({})).toEqual(['unknown_domain', 'create']);
  expect(await outcomes({ otherdomain: 'nobody.example' })).toEqual(['unknown_domain', 'exists']);
  expect(await outcomes({ otherdomain: host, dryrun: true })).toEqual(['create', 'exists']);
  expect(await outcomes({ otherdomain: host })).toEqual(['create', 'exists']);
  expect([await leadsTo(theirs, host), await leadsTo(ours, host), await leadsTo(theirs)]).toEqual([
    url,
    `${url}/2`,
    404,
  ]);
  await send([{ url, alias: own, domain: 'tinyurl.com' }], { otherdomain: server.origin });
  expect([await leadsTo(own), await leadsTo(own, host)]).toEqual([url, 404]);
});

test('a link that was archived at another service is imported as archived', async () => {
  const [kept, archived] = [anotherName('kept'), anotherName('archived')];
  const rows = rowsOf(
    ['Short Link', 'Destination URL', 'Archived'],
    [`https://dub.sh/${kept}`, url, 'false'],
    [`https://dub.sh/${archived}`, `${url}/a`, 'true'],
  );
  expect((await send(rows)).map(({ outcome }) => outcome)).toEqual(['create', 'create']);
  expect([await leadsTo(kept), await leadsTo(archived)]).toEqual([url, 410]);
});

test('a row that replaces an active link does not archive it because its day has passed', async () => {
  for (const day of ['archiveon', 'deleteon']) {
    const alias = anotherName(day);
    await server.call(addLink, { body: { url, custom: alias } });
    const rows = [{ url: `${url}/new`, alias, [day]: '2026-03-01' }];
    for (const dryrun of [true, false]) {
      const [result] = await send(rows, { conflict: 'replace', dryrun });
      expect(result).toMatchObject({ outcome: 'replace', code: 'days_passed' });
      expect(result?.message).toMatch(/existing link stays in use/);
    }
    expect(await leadsTo(alias)).toBe(`${url}/new`);
  }
});

test('a row with two notes has both, and a problem names its field', async () => {
  const abtesting = [{ url: 'https://example.com/b', percentage: 50 }];
  const [two, one, broken] = await send([
    {
      url,
      alias: anotherName('two'),
      archiveon: '2026-03-01',
      settings: { abtesting, testuntil: '2026-03-01' },
    },
    { url, alias: anotherName('one'), archiveon: '2026-03-01' },
    { url, alias: anotherName('broken'), settings: { redirect: 300 } },
  ]);
  expect(two).toMatchObject({ code: 'test_over', codes: ['test_over', 'archive_passed'] });
  expect(one).toMatchObject({ code: 'archive_passed' });
  expect(one?.codes).toBeUndefined();
  expect(broken).toMatchObject({ code: 'invalid_settings', field: 'settings.redirect' });
});
