import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInMemory } from '../../../server/platform/database/connect.ts';
import { applyMigrations } from '../../../server/platform/database/migrate.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { caseFold } from '../../../server/platform/text/case-fold.ts';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const post = (path: string, body: unknown) => server.request('POST', path, { body });
const names = async (path: string, key: string) =>
  (await server.request('GET', path)).body.data[key].map((row: { name: string }) => row.name);

test.each([
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'strasse'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['ΟΔΟΣ', 'οδος'],
  ['ﬁne', 'FINE'],
  ['E\u0301te\u0301', 'ÉTÉ'],
  ['İzmir', 'i̇zmir'],
  ['Kelvin', 'KELVIN'],
])('%s and %s fold to the same', (one, other) => {
  expect(caseFold(one)).toBe(caseFold(other));
  expect(caseFold(caseFold(one))).toBe(caseFold(one));
});

test('different letters stay different', () => {
  expect(caseFold('kapı')).toBe('kapı');
  expect(caseFold('KAPI')).toBe('kapi');
  expect(caseFold('kapı')).not.toBe(caseFold('kapi'));
});

test('every letter folds like its upper and lower case', () => {
  const different: string[] = [];
  for (let code = 0; code <= 0x1ffff; code += 1) {
    const letter = String.fromCodePoint(code);
    if (!letter.isWellFormed() || letter === 'ı') continue;
    const folded = caseFold(letter);
    const cases = [letter.toLowerCase(), letter.toUpperCase(), folded];
    if (cases.some((text) => caseFold(text) !== folded)) different.push(letter);
  }
  expect(different).toEqual([]);
});

test.each([
  ['Straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδος'],
  ['ﬁne', 'FINE'],
])('campaigns and channels named %s and %s have the same name, and a search finds it', async (one, other) => {
  for (const [kind, list] of [
    ['campaign', 'campaigns'],
    ['channel', 'channels'],
  ] as const) {
    expect((await post(`/api/${kind}/add`, { name: one })).body.error).toBe(0);
    const refused = await post(`/api/${kind}/add`, { name: other });
    expect([refused.status, refused.body]).toMatchObject([400, { code: 'name_taken', field: 'name' }]);
    expect(await names(`/api/${list}?q=${encodeURIComponent(other)}`, list)).toEqual([one]);
  }
});

test('a search of links finds a title in other letters, even by two of them', async () => {
  const { id } = (await post('/api/url/add', { url: 'https://example.com/', title: 'Große Straße' })).body;
  for (const q of ['GROSSE', 'strasse', 'SS']) {
    const found = (await server.request('GET', `/api/urls?q=${q}`)).body.data.urls;
    expect(found).toMatchObject([{ id }]);
  }
});

test('existing names are folded again, and two that are now equal both stay', () => {
  const version = 16;
  const connection = openInMemory(migrations.filter((migration) => migration.version < version));
  connection.exec(
    `INSERT INTO users (id, email, email_folded, username, username_folded, password_hash, plan_id, registered_at, timezone)
       VALUES (1, 'a@example.com', 'a@example.com', 'strasse', 'strasse', 'none', 2, 0, 'UTC'),
              (2, 'b@example.com', 'b@example.com', 'Straße', 'straße', 'none', 2, 0, 'UTC'),
              (3, 'c@example.com', 'c@example.com', 'Gruß', 'gruß', 'none', 2, 0, 'UTC');
     INSERT INTO channels (id, user_id, name, name_folded, created_at)
       VALUES (1, 1, 'οδος', 'οδος', 0), (2, 1, 'οδοσ', 'οδοσ', 0), (3, 1, 'Letters', 'letters', 0), (4, 2, 'οδος', 'οδος', 0);
     INSERT INTO campaigns (id, user_id, name, name_folded, created_at)
       VALUES (1, 1, 'ﬁn ß', 'ﬁn ß', 0), (2, 1, 'Fin ß', 'fin ß', 0), (3, 1, 'KAPI ı', 'kapi ı', 0);
     INSERT INTO links (id, user_id, alias, url, title, search, created_at, updated_at)
       VALUES (1, 1, 'a', 'https://example.com/', 'Straße', 'a' || char(10) || 'straße', 0, 0);
     INSERT INTO removals (resource, record_id, user_id, content, removed_at)
       VALUES ('qr', 7, 1, '{"row":{"id":7,"search":"straße"},"channels":[]}', 0);`,
  );
  applyMigrations(
    connection,
    migrations.filter((migration) => migration.version >= version),
  );
  const all = (sql: string) => connection.prepare(sql).pluck().all();
  expect(all('SELECT username_folded FROM users ORDER BY id')).toEqual(['strasse', 'strasse\n2', 'gruss']);
  expect(all('SELECT name_folded FROM channels ORDER BY id')).toEqual(['οδοσ\n1', 'οδοσ', 'letters', 'οδοσ']);
  expect(all('SELECT name_folded FROM campaigns ORDER BY id')).toEqual(['fin ss', 'fin ss\n2', 'kapi ı']);
  expect(all('SELECT rowid FROM links_search WHERE links_search MATCH \'"strasse"\'')).toEqual([1]);
  expect(all("SELECT content ->> '$.row.search' FROM removals")).toEqual(['strasse']);
  connection.close();
});

test.each([
  ['/api/campaign/add', {}],
  ['/api/channel/add', {}],
  ['/api/bio/add', {}],
  ['/api/key/add', {}],
  ['/api/splash/add', {}],
  ['/api/pixel/add', { type: 'fbpixel', tag: '1234567890123456' }],
])('%s refuses an invisible name like a blank one', async (path, others) => {
  const blank = await post(path, { ...others, name: ' ' });
  expect([blank.status, blank.body.field]).toEqual([400, 'name']);
  for (const name of ['\u200b\u200b', '\u2060 \ufeff', '\u3164\u00ad', '\u2800\ufe0f']) {
    expect((await post(path, { ...others, name })).body).toEqual(blank.body);
  }
});

test('names and titles keep joiners between visible characters, and are empty without any', async () => {
  const family = '\u{1f469}\u200d\u{1f467} नि\u200dक';
  expect((await post('/api/channel/add', { name: family })).body.name).toBe(family);
  const { id } = (await post('/api/url/add', { url: 'https://example.com/', title: '\u200b\u2060' })).body;
  expect((await server.request('GET', `/api/url/${id}`)).body.details.title).toBe(null);
});

test('a record whose name became a duplicate can be updated without a new name', async () => {
  const ids: number[] = [];
  for (const kind of ['campaign', 'channel']) {
    await post(`/api/${kind}/add`, { name: 'Maße' });
    ids.push((await post(`/api/${kind}/add`, { name: 'Other' })).body.id);
  }
  const [campaign = 0, channel = 0] = ids;
  const { main } = server.databases;
  for (const [table, id] of [
    ['campaigns', campaign],
    ['channels', channel],
  ] as const) {
    main
      .prepare(`UPDATE ${table} SET name = 'Masse', name_folded = 'masse' || char(10) || id WHERE id = ?`)
      .run(id);
  }
  const put = (path: string, body: unknown) => server.request('PUT', path, { body });
  expect((await put(`/api/campaign/${campaign}/update`, { name: 'Masse', public: true })).status).toBe(200);
  expect((await put(`/api/channel/${channel}/update`, { name: 'Masse', starred: true })).status).toBe(200);
  expect((await put(`/api/channel/${channel}/update`, { name: 'MASSE' })).body.code).toBe('name_taken');
});
