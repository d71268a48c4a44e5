import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImportRow, importLinks } from '../../../server/contract/import.ts';
import { deleteLink, listLinks, updateLink } from '../../../server/contract/links.ts';
import { startApp, type TestApp } from '../../support/app.ts';

// A row is stored, and its answer never arrives: the client cannot know, and sends it again.

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ ratelimit: 10_000 });
});
afterAll(() => server.close());

const countOf = (url: string): number =>
  server.databases.main
    .prepare<[string], number>('SELECT count(*) FROM links WHERE url = ?')
    .pluck()
    .get(url) ?? 0;
const importRows = async (rows: ImportRow[], conflict: 'skip' | 'rename' | 'replace' = 'skip') =>
  (await server.call(importLinks, { body: { rows, conflict } })).data.rows;

/** Sends rows, and cuts the connection once the server has stored the last of them, before it reads an answer. */
async function importAndHangUp(rows: ImportRow[], conflict = 'skip'): Promise<void> {
  const body = JSON.stringify({ rows, conflict });
  const socket = connect(server.port, '127.0.0.1');
  socket.pause();
  socket.write(
    `POST /api/urls/import HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ${server.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await expect.poll(() => countOf(rows.at(-1)?.url ?? '')).toBe(1);
  socket.destroy();
}

test('rows without an alias whose reply was lost are created once', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({
    url: `https://unnamed.example/${index}`,
    tags: ['lost'],
    token: `import-of-a-file-${index}`,
  }));
  await importAndHangUp(rows);
  const again = await importRows(rows);
  for (const [index, { url }] of rows.entries()) {
    expect([url, countOf(url)]).toEqual([url, 1]);
    expect(again[index]?.outcome).toMatch(/^(exists|create)$/);
    const followed = await server.request('GET', `/${again[index]?.alias}`, { key: null });
    expect([followed.status, followed.headers.get('location')]).toEqual([302, url]);
  }
  expect(again[0]?.outcome).toBe('exists');
});

test('rows that were given another alias get it once', async () => {
  await importRows([{ url: 'https://example.com/first', alias: 'taken' }]);
  const row = { url: 'https://renamed.example/', alias: 'taken', token: 'a-row-to-be-renamed' };
  await importAndHangUp([row], 'rename');
  const [again] = await importRows([row], 'rename');
  expect(again?.outcome).toBe('exists');
  expect(countOf(row.url)).toBe(1);
  const followed = await server.request('GET', `/${again?.alias}`, { key: null });
  expect(followed.headers.get('location')).toBe(row.url);
});

test("a row that changed a link's destination does not do so again after somebody else did", async () => {
  const [first] = await importRows([{ url: 'https://example.com/a', alias: 'moved' }]);
  const row = { url: 'https://example.com/b', alias: 'moved', token: 'a-row-that-replaces' };
  await importRows([row], 'replace');
  await server.call(updateLink, { params: { id: first?.id ?? 0 }, body: { url: 'https://example.com/c' } });
  const [again] = await importRows([row], 'replace');
  expect(again?.outcome).toBe('exists');
  const followed = await server.request('GET', '/moved', { key: null });
  expect(followed.headers.get('location')).toBe('https://example.com/c');
});

test('resending an older import creates nothing, whatever later ones did to its links', async () => {
  const first = { url: 'https://example.com/old', token: 'a-row-of-the-first-import' };
  const [made] = await importRows([first]);
  const alias = made?.alias ?? '';
  const later = { url: 'https://example.com/new', alias, token: 'a-row-of-a-later-import' };
  expect((await importRows([later], 'replace'))[0]?.outcome).toBe('replace');
  const again = await importRows([first, later], 'replace');
  expect(again.map(({ outcome, id }) => [outcome, id])).toEqual([
    ['exists', made?.id],
    ['exists', made?.id],
  ]);
  expect(countOf(first.url)).toBe(0);
  const followed = await server.request('GET', `/${alias}`, { key: null });
  expect(followed.headers.get('location')).toBe('https://example.com/new');
});

test('the newest 50 tokens of a link are known', async () => {
  const tokenOf = (index: number) => `row-that-leads-elsewhere-${index}`;
  for (let index = 0; index <= 50; index += 1) {
    const row = { url: `https://example.com/at/${index}`, alias: 'often', token: tokenOf(index) };
    await importRows([row], 'replace');
  }
  const outcomes = await importRows(
    [1, 50, 0].map((index) => ({ url: 'https://example.com/at/the-end', token: tokenOf(index) })),
  );
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['exists', 'exists', 'create']);
});

test('the same token in another import, or of a link deleted since, creates a new link', async () => {
  const row = { url: 'https://example.com/again', token: 'a-token-of-a-deleted-one' };
  const [made] = await importRows([row]);
  await server.call(deleteLink, { params: { id: made?.id ?? 0 } });
  const [again] = await importRows([row]);
  expect(again?.outcome).toBe('create');
  expect((await importRows([row]))[0]).toMatchObject({ outcome: 'exists', id: again?.id });
  const [other] = await importRows([{ ...row, token: 'a-token-of-another-import' }]);
  expect(other?.outcome).toBe('create');
});

test('without a token, each row without an alias is a new link', async () => {
  const rows = [{ url: 'https://twice.example/' }, { url: 'https://twice.example/' }];
  await importRows(rows);
  const { data } = await server.call(listLinks, { query: { q: 'twice.example' } });
  expect(data.result).toBe(2);
});

test('a token that could stand for several rows is refused', async () => {
  const reply = await server.request('POST', '/api/urls/import', {
    body: { rows: [{ url: 'https://example.com/', token: '1' }] },
  });
  expect([reply.status, reply.body.field]).toEqual([400, 'rows.0.token']);
});
