import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Read, Reader } from '../../../server/platform/database/reader.ts';
import { clickQueries } from '../../../server/visits/stats/click-queries.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { secondAccount } from '../../support/second-account.ts';

let server: TestApp;
beforeEach(async () => {
  server = await startApp();
});
afterEach(() => server.close());

/** Reads at once on the server's own connection, and keeps the plan of each statement. */
function readerWithPlans(): Pick<Reader, 'read'> & { plans: string[] } {
  const { main } = server.databases;
  const plans: string[] = [];
  const run = ({ sql, values }: Read) => {
    const steps = main.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    plans.push(steps.map(({ detail }) => detail).join('\n'));
    return main.prepare<unknown[], Record<string, string | number | null>>(sql).all(...values);
  };
  return { plans, read: async (reads) => reads.map(run) };
}

const start = 1_700_000_000_000;

async function addClicks(as: { request: TestApp['request'] }, many: number, from = start): Promise<number> {
  const { id } = (await as.request('POST', '/api/url/add', { body: { url: 'https://example.com/' } })).body;
  server.databases.main.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
      INSERT INTO clicks (link_id, at, visitor, source, bot, country, region, city, referrer, referrer_path, browser,
        os, device, language, utm_source, utm_medium, utm_campaign)
      SELECT ${id}, ${from} + i, i, 0, i % 10 = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM n`);
  await server.request('GET', '/api/stats');
  return id;
}

test('for an account with little of the click log, only its own clicks are read', async () => {
  const bert = secondAccount(server);
  const theirs = await addClicks(
    { request: (method, path, options) => bert.request(method, path, options) },
    20,
  );
  await addClicks(server, 5000);
  const reader = readerWithPlans();
  const few = await clickQueries(reader).clicks({ userId: bert.id }, false, 5, 2);
  expect([few.total, few.rows.length]).toEqual([18, 5]);
  expect(few.rows.every((row) => row.link_id === theirs)).toBe(true);
  const ids = few.rows.map((row) => row.id);
  expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  expect(reader.plans.at(-1)).toContain('SEARCH clicks USING INTEGER PRIMARY KEY');
  expect(reader.plans.join('\n')).not.toContain('SCAN clicks');
});

test('for an account without clicks, none are read', async () => {
  const bert = secondAccount(server);
  await addClicks(server, 100);
  const reader = readerWithPlans();
  expect(await clickQueries(reader).clicks({ userId: bert.id }, true, 50, 0)).toEqual({ rows: [], total: 0 });
  expect(reader.plans).toHaveLength(1);
});

test('for an account with most of the log, it is read from its end', async () => {
  await addClicks(server, 200);
  const reader = readerWithPlans();
  const many = await clickQueries(reader).clicks({ userId: 1 }, true, 5, 0);
  expect([many.total, many.rows.map((row) => row.id)]).toEqual([200, [200, 199, 198, 197, 196]]);
});

test('clicks that an edge shipped days late are on the page, and no page omits one', async () => {
  const bert = secondAccount(server);
  const as = {
    request: (method: string, path: string, options?: object) => bert.request(method, path, options),
  };
  await addClicks(as, 20);
  await addClicks(server, 3000);
  await addClicks(as, 5);
  await addClicks(as, 4, start - 3 * 86_400_000);
  await addClicks(server, 2000);
  const queries = clickQueries(readerWithPlans());
  const ids: number[] = [];
  for (let offset = 0; offset < 30; offset += 5) {
    const { rows } = await queries.clicks({ userId: bert.id }, true, 5, offset);
    ids.push(...rows.map(({ id }) => id));
  }
  const mine = [
    ...Array.from({ length: 20 }, (_, index) => index + 1),
    ...Array.from({ length: 9 }, (_, index) => index + 3021),
  ];
  expect(ids).toEqual(mine.toReversed());
});
