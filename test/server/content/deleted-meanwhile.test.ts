import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { type SecondAccount, secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

/** What takes a while for an account goes on in slices, and the account may be deleted between two of them. */
let server: TestApp;
let bert: SecondAccount;
beforeEach(async () => {
  // Real time, so that a slice is over after some milliseconds.
  const clock = { ...testClock(), monotonic: () => performance.now() };
  server = await startApp({ ratelimit: 10_000, clock });
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
