import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { administrator, startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { addDomain, type SecondAccount, secondAccount } from '../../support/second-account.ts';
import { storedContents, uploadPath } from '../../support/uploads.ts';
import { visit } from '../../support/visits.ts';

/** What takes a while goes on in slices or threads, and the account or what it names may be deleted meanwhile. */
let server: TestApp;
let bert: SecondAccount;
beforeEach(async () => {
  // Real time, so that a slice is over after some milliseconds.
  const clock = { ...testClock(), monotonic: () => performance.now() };
  server = await startApp({ ratelimit: 10_000, clock, passwordCost: 15 });
  bert = secondAccount(server);
});
afterEach(() => server.close());

const count = (sql: string): number => Number(server.databases.main.prepare(sql).pluck().get(bert.id));

/** Rows that take a while: each makes many channels. */
const rows = Array.from({ length: 200 }, (_, index) => ({
  url: `https://example.com/${index}`,
  alias: `a${index}`,
  tags: Array.from({ length: 45 }, (_tag, tag) => `${index} ${tag}`),
}));

async function reaches(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

test('an import ends with 401 when its account is deleted, and leaves nothing', async () => {
  const started = bert.request('POST', '/api/urls/import', { body: { rows } });
  await reaches(() => count('SELECT count(*) FROM links WHERE user_id = ?') > 0);
  expect(count('SELECT count(*) FROM links WHERE user_id = ?')).toBeLessThan(200);
  // The last step of a deletion: everything of the account goes with its row.
  server.databases.main.prepare('DELETE FROM users WHERE id = ?').run(bert.id);
  const reply = await started;
  expect([reply.status, reply.body.code]).toEqual([401, 'unauthorized']);
  expect(count('SELECT count(*) FROM links WHERE user_id = ?')).toBe(0);
  expect((await visit(server, '/a0')).status).toBe(404);
  const body = { url: 'https://example.com/mine', custom: 'a0' };
  expect((await server.request('POST', '/api/url/add', { body })).status).toBe(200);
  expect((await visit(server, '/a0')).location).toBe('https://example.com/mine');
});

test('so does a bulk action', async () => {
  server.databases.main
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
       INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
       SELECT ?, 'b' || i, 'https://example.com/' || i, 1, 1, 'b' || i FROM n`,
    )
    .run(bert.id);
  const body = { filter: { status: 'public' }, action: 'archive' };
  const started = bert.request('POST', '/api/urls/bulk', { body });
  await reaches(() => count('SELECT count(*) FROM links WHERE archived = 1 AND user_id = ?') > 0);
  expect(count('SELECT count(*) FROM links WHERE archived = 1 AND user_id = ?')).toBeLessThan(5000);
  server.databases.main.prepare('DELETE FROM users WHERE id = ?').run(bert.id);
  const reply = await started;
  expect([reply.status, reply.body.code]).toEqual([401, 'unauthorized']);
  expect(count('SELECT count(*) FROM bulk_rest WHERE user_id = ?')).toBe(0);
});

const dropDomain = (id: number) => server.databases.main.prepare('DELETE FROM domains WHERE id = ?').run(id);
const addLink = async (body: object) =>
  (await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', ...body } })).body.id;
/** Long enough for a request to have been read, and shorter than a password takes. */
const whileItWorks = () => delay(60);

test('a file is refused when its domain is deleted while its content arrives', { tags: 'long' }, async () => {
  const domain = addDomain(server, 'go.example.com', 1);
  const path = uploadPath('a.txt', { custom: 'late', domain: 'go.example.com' });
  const started = server.request('POST', path, { rawBody: 'x'.repeat(500_000) });
  await reaches(() => storedContents(server).unfinished.length > 0);
  dropDomain(domain);
  const reply = await started;
  expect([reply.status, reply.body.code]).toEqual([400, 'unknown_domain']);
  expect(storedContents(server)).toEqual({ finished: [], unfinished: [] });
});

test('a link is refused when what it names is deleted while its password is hashed', async () => {
  const domain = addDomain(server, 'go.example.com', 1);
  const campaign = (await server.request('POST', '/api/campaign/add', { body: { name: 'Autumn' } })).body.id;
  const id = await addLink({ custom: 'kept' });
  const change = { password: 'open sesame', domain: 'go.example.com' };
  const started = [
    server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', ...change } }),
    server.request('PUT', `/api/url/${id}/update`, { body: change }),
    server.request('PUT', `/api/url/${id}/update`, { body: { password: 'open sesame', campaign } }),
  ];
  await whileItWorks();
  dropDomain(domain);
  server.databases.main.prepare('DELETE FROM campaigns WHERE id = ?').run(campaign);
  const replies = await Promise.all(started);
  expect(replies.map(({ status, body }) => [status, body.field])).toEqual([
    [400, 'domain'],
    [400, 'domain'],
    [400, 'campaign'],
  ]);
  expect((await visit(server, '/kept')).location).toBe('https://example.com/');
});

test('a QR code is refused when its link or domain is deleted while it is drawn', {
  tags: 'long',
}, async () => {
  const domain = addDomain(server, 'go.example.com', 1);
  const link = await addLink({ custom: 'purged' });
  const code = { type: 'link', data: 'https://example.com/', name: 'Code' };
  const { id } = (await server.request('POST', '/api/qr/add', { body: code })).body;
  const started = [
    server.request('POST', '/api/qr/add', { body: { ...code, domain: 'go.example.com' } }),
    server.request('POST', '/api/qr/add', { body: { ...code, data: { link } } }),
    server.request('PUT', `/api/qr/${id}/update`, { body: { data: { link } } }),
  ];
  await delay(10);
  dropDomain(domain);
  server.databases.main.prepare('DELETE FROM links WHERE id = ?').run(link);
  const replies = await Promise.all(started);
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
    [400, 'unknown_domain'],
    [400, 'unknown_link'],
    [400, 'unknown_link'],
  ]);
});

test('an account is refused its plan or domain that is deleted while its password is hashed', async () => {
  const domain = addDomain(server, 'go.example.com', 1);
  const planid = (await server.request('POST', '/api/plan/add', { body: { name: 'Short' } })).body.data.id;
  const person = { username: 'clara', email: 'clara@example.com', password: 'open sesame' };
  const { password } = person;
  const own = { password, current_password: administrator.password, domain: 'go.example.com' };
  const started = [
    server.request('POST', '/api/user/add', { body: { ...person, planid } }),
    server.request('PUT', `/api/user/${bert.id}/update`, { body: { password, planid } }),
    server.request('PUT', '/api/account/update', { body: own }),
  ];
  await whileItWorks();
  dropDomain(domain);
  server.databases.main.prepare('DELETE FROM plans WHERE id = ?').run(planid);
  const replies = await Promise.all(started);
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
    [400, 'unknown_plan'],
    [400, 'unknown_plan'],
    [400, 'unknown_domain'],
  ]);
});
