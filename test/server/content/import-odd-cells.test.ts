// A request with one text that cannot be stored, or with too deep or too many values, is refused as a whole. A row of a
// file must not stop the rows around it, nor the import for good.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runImport } from '../../../renderer/content/import/import-run.ts';
import type { RowResult } from '../../../renderer/content/import/outcomes.ts';
import { shapeOf } from '../../../server/contract/import-columns.ts';
import { type FileRow, fileRows } from '../../../server/contract/import-rows.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { anotherName } from '../../support/names.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
});
afterAll(() => server.close());

const url = 'https://example.com/odd';
const leadsTo = async (alias: string) => {
  const { status, location } = await visit(server, `/${alias}`);
  return location ?? status;
};

/** Reads the lines of a file as the import page does. */
function readLines(lines: readonly string[][]): FileRow[] {
  const table = { records: lines.map((cells, index) => ({ line: index + 1, cells })) };
  const shape = shapeOf(table);
  return fileRows(table, shape, shape.mapping, 'UTC');
}

/** Imports rows as the import page does; the results by row. Throws as soon as one request is refused. */
async function importRows(rows: readonly FileRow[]): Promise<RowResult[]> {
  const results: RowResult[] = [];
  await runImport({
    call: server.call,
    id: anotherName('odd-cells-of-a-file'),
    rows: rows.filter(({ fault }) => !fault),
    results: [],
    conflict: 'skip',
    otherDomain: undefined,
    isRehearsal: false,
    shouldStop: () => false,
    onSlice(more) {
      for (const [place, result] of more) results[place] = result;
    },
  });
  return results;
}

test('texts with NUL, or cut inside a character, are imported without it', async () => {
  const [first, odd, cut, last] = ['first', 'odd', 'cut', 'last'].map((name) => anotherName(name)) as [
    string,
    string,
    string,
    string,
  ];
  const rows = readLines([
    ['alias', 'long url', 'title', 'note', 'campaign', 'settings'],
    [first, `${url}/first`, 'First', '', '', ''],
    [odd, `${url}/o\0dd`, 'A\0B', 'C\0', 'D\0', '{"metatitle":"E\\u0000F\\ud83d"}'],
    [cut, `${url}/cut`, '', `${'x'.repeat(19_999)}🐙`, `${'y'.repeat(499)}🐙`, ''],
    [last, `${url}/last`, '', '', '', ''],
  ]);
  expect((await importRows(rows)).map(({ outcome }) => outcome)).toEqual(Array(4).fill('create'));
  for (const [alias, path] of [
    [first, 'first'],
    [odd, 'odd'],
    [cut, 'cut'],
    [last, 'last'],
  ] as const)
    expect(await leadsTo(alias)).toBe(`${url}/${path}`);
  const { body } = await server.request('GET', `/api/urls?q=${odd}`);
  const { id } = body.data.urls[0];
  const { details } = (await server.request('GET', `/api/url/${id}`)).body;
  expect([details.title, details.note, details.metatitle]).toEqual(['AB', 'C', 'EF']);
});

test('an encoded NUL in a short URL, and an invalid day, only affect their rows', async () => {
  const [encoded, day, fine] = [anotherName('encoded'), anotherName('day'), anotherName('fine')];
  const rows = readLines([
    ['short url', 'long url', 'expires'],
    [`https://go.example/%00${encoded}`, `${url}/encoded`, ''],
    [`https://go.example/${day}`, `${url}/day`, `${'x'.repeat(39)}🐙`],
    [`https://go.example/${fine}`, `${url}/fine`, ''],
  ]);
  const results = await importRows(rows);
  expect(results.map(({ outcome, code }) => code ?? outcome)).toEqual(['create', 'invalid_date', 'create']);
  expect([await leadsTo(encoded), await leadsTo(day), await leadsTo(fine)]).toEqual([
    `${url}/encoded`,
    404,
    `${url}/fine`,
  ]);
});

test('settings that are too large for a request only affect their row', async () => {
  const [good, deep, wide, rich] = ['good', 'deep', 'wide', 'rich'].map((name) => anotherName(name)) as [
    string,
    string,
    string,
    string,
  ];
  const nested = `{"x":${'['.repeat(31)}${']'.repeat(31)}}`;
  const rows = readLines([
    ['alias', 'long url', 'settings'],
    [deep, `${url}/deep`, nested],
    [wide, `${url}/wide`, `{"x":[${'0,'.repeat(60_000)}0]}`],
    [
      rich,
      `${url}/rich`,
      JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, key) => [key, 0]))),
    ],
    [good, `${url}/good`, '{"redirect":301}'],
  ]);
  expect(rows.map(({ fault }) => fault)).toEqual([...Array(3).fill('broken_settings'), undefined]);
  expect((await importRows(rows)).map(({ outcome }) => outcome)).toEqual(['create']);
  expect(await leadsTo(good)).toBe(`${url}/good`);
});

test('rows with many settings are spread over as many requests as needed', async () => {
  const aliases = Array.from({ length: 30 }, () => anotherName('ruled'));
  // Short ones: the number of values is the limit, not their length.
  const addresses = Array.from({ length: 100 }, (_, index) => `::${index + 1}`);
  const rules = Array.from({ length: 20 }, () => ({
    conditions: [{ type: 'ip', op: 'in', value: addresses }],
    link: `${url}/elsewhere`,
  }));
  const settings = JSON.stringify({ rules });
  const rows = readLines([
    ['alias', 'long url', 'settings'],
    ...aliases.map((alias) => [alias, `${url}/ruled`, settings]),
  ]);
  expect((await importRows(rows)).map(({ outcome }) => outcome)).toEqual(Array(30).fill('create'));
  expect(await leadsTo(aliases.at(-1) ?? '')).toBe(`${url}/ruled`);
});
