import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { planQueries } from '../../../server/identity/plans/queries.ts';
import { userQueries } from '../../../server/identity/users/queries.ts';
import { userService } from '../../../server/identity/users/service.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { retentionJob } from '../../../server/visits/clicks/retention-job.ts';
import { retentionQueries } from '../../../server/visits/clicks/retention-queries.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { type SecondAccount, secondAccount } from '../../support/second-account.ts';

const day = 86_400_000;

let server: TestApp;
beforeEach(async () => {
  server = await startApp();
});
afterEach(() => server.close());

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

async function addLink(
  as: Pick<SecondAccount, 'request'> = server,
): Promise<{ id: number; shorturl: string }> {
  const url = `https://example.com/${randomUUID()}`;
  return (await as.request('POST', '/api/url/add', { body: { url } })).body;
}

async function visit(shorturl: string, times: number, agent = browser): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await fetch(shorturl, { redirect: 'manual', headers: { 'user-agent': agent } });
  }
}

/** Counts what was clicked, then runs the job as the scheduler would. */
async function forget(signal = new AbortController().signal): Promise<void> {
  await server.request('GET', '/api/stats');
  await job().run(signal);
}

function job(retentionDays?: number | null, queries = retentionQueries(server.databases.clicks)) {
  const { main, clicks } = server.databases;
  const settings = server.app.settings;
  const users = userService({
    queries: userQueries(main),
    plans: planQueries(main),
    passwords: undefined as never,
    now: server.clock.now,
    timezone: 'UTC',
    defaultPlan: () => 2,
  });
  return retentionJob({
    queries,
    transactions: transactions(clicks),
    retentionDays: () => (retentionDays === undefined ? settings().retentionDays : retentionDays),
    storesAddresses: () => settings().privacy.storeAddresses,
    accountAfter(id) {
      const account = users.findAfter(id);
      return account && { userId: account.user.id, days: account.plan.limits.retention };
    },
    clock: { isTrusted: () => true },
    now: server.clock.now,
  });
}

const set = (body: object) => server.request('PUT', '/api/settings', { body });
const logged = (id: number) =>
  server.databases.main.prepare('SELECT count(*) FROM clicks WHERE link_id = ?').pluck().get(id);
const clicksOf = async (id: number, query = '') =>
  (await server.request('GET', `/api/url/${id}/clicks?limit=100${query}`)).body.data;
const metricsOf = async (id: number) =>
  (await server.request('GET', `/api/url/${id}/stats?period=all&bots=1`)).body.data;

describe("clicks older than the instance's retention", () => {
  test('are deleted, and their statistics stay', async () => {
    const { id, shorturl } = await addLink();
    await visit(shorturl, 3);
    await visit(shorturl, 2, crawler);
    server.clock.advance(31 * day);
    await visit(shorturl, 4);
    const before = await metricsOf(id);
    expect(before).toMatchObject({ clicks: 9, bots: 2 });
    await set({ retentionDays: 30 });
    await forget();
    expect(logged(id)).toBe(4);
    const after = await metricsOf(id);
    expect(after).toEqual(before);
    const { body } = await server.request('GET', `/api/url/${id}`);
    expect(body.data.clicks).toBe(7);
  });

  test('are neither in lists nor in their number any more', async () => {
    const { id, shorturl } = await addLink();
    const { shorturl: other } = await addLink();
    await visit(shorturl, 3);
    await visit(shorturl, 2, crawler);
    await visit(other, 1);
    server.clock.advance(31 * day);
    await visit(shorturl, 4);
    await visit(shorturl, 1, crawler);
    await set({ retentionDays: 30 });
    await forget();
    const people = await clicksOf(id);
    expect([people.result, people.clicks.length]).toEqual([4, 4]);
    const all = await clicksOf(id, '&bots=1');
    expect([all.result, all.clicks.length]).toEqual([5, 5]);
    const ofAccount = (await server.request('GET', '/api/clicks?bots=1')).body.data;
    expect([ofAccount.result, ofAccount.clicks.length]).toEqual([5, 5]);
  });

  test('are kept to the second, and forever if the setting is empty', async () => {
    const { id, shorturl } = await addLink();
    await visit(shorturl, 1);
    server.clock.advance(30 * day);
    await set({ retentionDays: null });
    await forget();
    expect(logged(id)).toBe(1);
    await set({ retentionDays: 30 });
    await forget();
    expect(logged(id)).toBe(1);
    server.clock.advance(1);
    await forget();
    expect(logged(id)).toBe(0);
  });

  test('stay until they are counted', async () => {
    const { id, shorturl } = await addLink();
    await visit(shorturl, 2);
    server.databases.clicks.prepare('UPDATE rollup_position SET position = 0').run();
    server.clock.advance(400 * day);
    await job(30).run(new AbortController().signal);
    expect(logged(id)).toBe(2);
  });

  test('are deleted even after a fast clock dated earlier ones in the future', async () => {
    const { id, shorturl } = await addLink();
    server.clock.jump(4000 * day);
    await visit(shorturl, 2);
    server.clock.jump(-4000 * day);
    await visit(shorturl, 3);
    server.clock.advance(31 * day);
    await set({ retentionDays: 30 });
    await forget();
    expect(logged(id)).toBe(2);
  });

  test('are deleted a few at a time, until the server stops', async () => {
    const { id } = await addLink();
    const { clicks } = server.databases;
    const insert = clicks.prepare(
      `INSERT INTO clicks (link_id, at, visitor, source, bot, country, region, city, referrer, referrer_path, browser,
         os, device, language, utm_source, utm_medium, utm_campaign)
       VALUES (?, ?, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)`,
    );
    const at = server.clock.now();
    clicks.transaction(() => {
      for (let count = 0; count < 1000; count += 1) insert.run(id, at);
    })();
    server.clock.advance(2 * day);
    await set({ retentionDays: 1 });
    await server.request('GET', '/api/stats');
    const stopping = new AbortController();
    const steps: number[] = [];
    const watch = () => {
      steps.push(Number(logged(id)));
      if (steps.length < 3) setImmediate(watch);
      else stopping.abort();
    };
    setImmediate(watch);
    await job().run(stopping.signal);
    const left = Number(logged(id));
    expect(steps[0]).toBeLessThan(1000);
    expect(left).toBeGreaterThan(0);
    await forget();
    expect(logged(id)).toBe(0);
    expect((await metricsOf(id)).clicks).toBe(1000);
  });

  test('are followed by new ones that are counted', async () => {
    const { id, shorturl } = await addLink();
    await visit(shorturl, 2);
    server.clock.advance(31 * day);
    await set({ retentionDays: 30 });
    await forget();
    await visit(shorturl, 1);
    expect((await metricsOf(id)).clicks).toBe(3);
    expect((await clicksOf(id)).result).toBe(1);
  });
});

describe("clicks older than their owner's plan allows", () => {
  const limit = (planId: number, days: number) =>
    server.databases.main
      .prepare("UPDATE plans SET limits = json_set(limits, '$.retention', ?) WHERE id = ?")
      .run(days, planId);

  test('are deleted, and those of other plans stay', async () => {
    const bert = secondAccount(server, 'bert', 1);
    const ours = await addLink();
    const theirs = await addLink(bert);
    await visit(ours.shorturl, 2);
    await visit(theirs.shorturl, 3);
    server.clock.advance(8 * day);
    await visit(theirs.shorturl, 1);
    limit(1, 7);
    await forget();
    expect([logged(ours.id), logged(theirs.id)]).toEqual([2, 1]);
    expect((await bert.request('GET', '/api/clicks')).body.data.result).toBe(1);
  });

  test('are deleted for all links, some links at a time', async () => {
    const bert = secondAccount(server, 'bert', 1);
    const links = [];
    for (let made = 0; made < 120; made += 1) links.push(await addLink(bert));
    for (const { shorturl } of links) await visit(shorturl, 1);
    await bert.request('DELETE', `/api/url/${links[7]?.id}/delete`);
    server.clock.advance(8 * day);
    limit(1, 7);
    await server.request('GET', '/api/stats');
    const queries = retentionQueries(server.databases.clicks);
    const lengths: number[] = [];
    const tapped = Object.fromEntries(
      Object.entries(queries).map(([name, query]) => [
        name,
        (...values: unknown[]) => {
          const result: unknown = Reflect.apply(query, undefined, values);
          if (Array.isArray(result)) lengths.push(result.length);
          return result;
        },
      ]),
    ) as typeof queries;
    await job(null, tapped).run(new AbortController().signal);
    expect(links.map(({ id }) => logged(id)).filter((left) => left !== 0)).toEqual([]);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(50);
  });

  test('are deleted after the shorter of the two times', async () => {
    const bert = secondAccount(server, 'bert', 1);
    const theirs = await addLink(bert);
    await visit(theirs.shorturl, 1);
    server.clock.advance(10 * day);
    await visit(theirs.shorturl, 1);
    limit(1, 30);
    await set({ retentionDays: 5 });
    await forget();
    expect(logged(theirs.id)).toBe(1);
  });
});

test('nothing counted for a deleted account remains', async () => {
  const bert = secondAccount(server);
  const ours = await addLink();
  const theirs = await addLink(bert);
  await visit(ours.shorturl, 2);
  // More than are removed at a time.
  await visit(theirs.shorturl, 450);
  await server.request('GET', '/api/stats');
  const rows = (table: string, condition: string) =>
    server.databases.main.prepare(`SELECT count(*) FROM ${table} WHERE ${condition}`).pluck().get();
  const left = () => [
    logged(theirs.id),
    rows('link_clicks', `link_id = ${theirs.id}`),
    rows('rollups', `scope = 0 AND scope_id = ${theirs.id}`),
    rows('rollups', `scope = 1 AND scope_id = ${bert.id}`),
  ];
  expect(left()).toEqual([450, 450, expect.any(Number), expect.any(Number)]);
  expect((await server.request('DELETE', `/api/user/${bert.id}/delete`)).status).toBe(200);
  await forget();
  expect(left()).toEqual([0, 0, 0, 0]);
  expect(logged(ours.id)).toBe(2);
  expect((await metricsOf(ours.id)).clicks).toBe(2);
});

test('however many accounts there are, few are checked in one turn of the event loop', async () => {
  const { main, clicks } = server.databases;
  let looked = 0;
  const seen = [0];
  const running = retentionJob({
    queries: retentionQueries(clicks),
    transactions: transactions(main),
    retentionDays: () => null,
    storesAddresses: () => true,
    accountAfter(id) {
      looked += 1;
      return id < 1_000 ? { userId: id + 1, days: -1 } : undefined;
    },
    clock: { isTrusted: () => true },
    now: server.clock.now,
  }).run(new AbortController().signal);
  seen.push(looked);
  while (looked < 1_001) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(looked);
  }
  await running;
  const turns = seen.slice(1).map((count, index) => count - (seen[index] ?? 0));
  expect(Math.max(...turns)).toBeLessThanOrEqual(100);
});
