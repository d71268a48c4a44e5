import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import papaparse from 'papaparse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listChannels } from '../../../server/contract/channels.ts';
import { type ImportRow, importLinks } from '../../../server/contract/import.ts';
import { addLink, getLink, listLinks } from '../../../server/contract/links.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { anotherName } from '../../support/names.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const row = (alias: string, url: string, more: Partial<ImportRow> = {}): ImportRow => ({
  alias,
  url,
  ...more,
});

test('each row has its own result and a broken one does not hold up the others', async () => {
  await server.call(addLink, { body: { url: 'https://example.com/other', custom: 'held' } });
  const { data } = await server.call(importLinks, {
    body: {
      rows: [
        row('one', 'https://example.com/1', { title: 'One\u0007', tags: ['News', 'news'] }),
        row('bad', 'nonsense'),
        row('api', 'https://example.com/2'),
        row('held', 'https://example.com/3'),
        row('', 'https://example.com/4'),
      ],
    },
  });
  expect(data.rows.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['create', undefined],
    ['problem', 'invalid_url'],
    ['problem', 'alias_reserved'],
    ['skip', 'alias_taken'],
    ['create', undefined],
  ]);
  expect(data.channels).toEqual(['News']);
});

test('sending the same rows again creates no duplicates', async () => {
  const body = { rows: [row('again', 'https://example.com/again', { tags: ['twice'] })] };
  await server.call(importLinks, { body });
  const before = (await server.call(listLinks)).data.result;
  const { data } = await server.call(importLinks, { body });
  expect(data).toEqual({
    rows: [expect.objectContaining({ outcome: 'exists', alias: 'again' })],
    channels: [],
    campaigns: [],
  });
  expect((await server.call(listLinks)).data.result).toBe(before);
});

test('a dry run reports the same results and writes nothing', async () => {
  const rows = [
    row('dry', 'https://example.com/dry', { tags: ['sand'] }),
    row('dry', 'https://example.com/other'),
  ];
  const { data } = await server.call(importLinks, { body: { rows, dryrun: true } });
  expect(data.rows.map(({ outcome }) => outcome)).toEqual(['create', 'skip']);
  expect(data.channels).toEqual(['sand']);
  expect((await server.call(listLinks, { query: { q: 'example.com/dry' } })).data.result).toBe(0);
  expect((await server.call(listChannels, { query: { q: 'sand' } })).data.result).toBe(0);
});

test('a taken alias can be renamed or replaced instead of skipped', async () => {
  const { id } = await server.call(addLink, {
    body: { url: 'https://example.com/first', custom: 'conflict' },
  });
  const rows = [row('conflict', 'https://example.com/second')];
  const renamed = await server.call(importLinks, { body: { rows, conflict: 'rename' } });
  expect(renamed.data.rows[0]).toMatchObject({
    outcome: 'rename',
    alias: expect.not.stringMatching(/^conflict$/),
  });
  const replaced = await server.call(importLinks, { body: { rows, conflict: 'replace' } });
  expect(replaced.data.rows[0]).toMatchObject({ outcome: 'replace', id });
  expect((await server.call(getLink, { params: { id } })).details.longurl).toBe('https://example.com/second');
});

test('a row that replaces applies its settings, even with the same destination', async () => {
  const alias = anotherName('same');
  const url = 'https://example.com/same';
  const { id } = await server.call(addLink, { body: { url, custom: alias, redirect: 302 } });
  const rows = [row(alias, url, { title: 'Mine', settings: { redirect: 301 } })];
  const send = async (more: object) =>
    (await server.call(importLinks, { body: { rows, ...more } })).data.rows[0]?.outcome;
  expect(await send({})).toBe('exists');
  expect((await visit(server, `/${alias}`)).status).toBe(302);
  expect(await send({ conflict: 'replace', dryrun: true })).toBe('replace');
  expect(await send({ conflict: 'replace' })).toBe('replace');
  expect((await visit(server, `/${alias}`)).status).toBe(301);
  expect(await send({ conflict: 'replace' })).toBe('exists');
  const { body } = await server.request('GET', `/api/url/${id}/history`);
  expect(body.data.changes).toHaveLength(1);
});

test('rows of an old file are imported as they are now, and say so', async () => {
  const [tested, plain, archived, deleted, ended] = ['t', 'p', 'a', 'd', 'e'].map(anotherName) as [
    string,
    ...string[],
  ];
  const test = { abtesting: [{ url: 'https://example.com/b', percentage: 50 }], testuntil: '2026-03-01' };
  const url = 'https://example.com/old';
  const rows = [
    row(tested, url, { settings: { ...test, testwinner: 'https://example.com/b' } }),
    row(plain as string, url, { settings: test }),
    row(archived as string, url, { archiveon: '2026-03-01' }),
    row(deleted as string, url, { deleteon: '2026-03-01', archiveon: '2028-01-01' }),
    row(ended as string, url, { expiry: '2026-03-01' }),
  ];
  const send = async () => (await server.call(importLinks, { body: { rows } })).data.rows;
  expect((await send()).map(({ outcome, code }) => [outcome, code])).toEqual([
    ['create', 'test_over'],
    ['create', 'test_over'],
    ['create', 'archive_passed'],
    ['create', 'delete_passed'],
    ['create', undefined],
  ]);
  const visits = [];
  for (const { alias } of rows) visits.push(await visit(server, `/${alias}`));
  expect(visits.map(({ status, location }) => location ?? status)).toEqual([
    'https://example.com/b',
    url,
    410,
    410,
    410,
  ]);
  expect((await send()).every(({ outcome }) => outcome === 'exists')).toBe(true);
});

const realFile = join(import.meta.dirname, '../../../../shared/data/self-hosted-software.shlink.csv');

test('every one of 1,258 real links is imported and redirects to its destination', async (context) => {
  if (!existsSync(realFile)) context.skip('the file of real links is not beside this clone');
  const parsed = papaparse.parse<Record<string, string>>(readFileSync(realFile, 'utf8').trim(), {
    header: true,
  });
  expect(parsed.data).toHaveLength(1258);
  const rows = parsed.data.map((line) =>
    row(line['Short code'] ?? '', line['Long URL'] ?? '', {
      title: line.Title ?? '',
      tags: (line.Tags ?? '').split('|'),
    }),
  );
  for (let start = 0; start < rows.length; start += 200) {
    const { data } = await server.call(importLinks, { body: { rows: rows.slice(start, start + 200) } });
    expect(data.rows.filter(({ outcome }) => outcome !== 'create')).toEqual([]);
  }
  for (const { alias, url } of rows) {
    const reply = await server.request('GET', `/${encodeURIComponent(alias ?? '')}`, { key: null });
    expect([reply.status, reply.headers.get('location')]).toEqual([302, new URL(url).href]);
  }
});
