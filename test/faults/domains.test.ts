import { afterEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { visit } from '../support/domain-bench.ts';
import { type Behavior, type NameServer, startNameServer } from '../support/name-server.ts';
import { some, times } from '../support/trials.ts';

const own = '192.0.2.1';
const day = 86_400_000;
/** What waits for an answer that never comes may wait less than the two seconds of a real server. */
const soon = 400;
/** Domains that are looked at in one go. */
const many = times({ short: 40, long: 500 });

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** Adds active domains straight in the database, which is faster than five hundred requests. */
function addMany(server: TestApp, count: number, hostOf: (index: number) => string): number[] {
  const insert = server.databases.main.prepare(
    `INSERT INTO domains (user_id, host, created_at) VALUES (1, ?, 0)`,
  );
  return Array.from({ length: count }, (_, index) => Number(insert.run(hostOf(index)).lastInsertRowid));
}

const countOf = (server: TestApp, condition: 'active = 1' | 'dns_failure_count > 0' | 'ssl_status = 1') =>
  server.databases.main.prepare(`SELECT count(*) FROM domains WHERE ${condition}`).pluck().get();

async function startOver(names: NameServer, nameMs?: number): Promise<TestApp> {
  const server = await startApp({
    ...(nameMs !== undefined && { nameMs }),
    settings: { publicAddresses: [own], dnsServers: [names.address] },
    ratelimit: 100_000,
  });
  open.push(names, server);
  return server;
}

async function sync(server: TestApp, timeout = 60_000): Promise<void> {
  server.clock.advance(1000);
  await server.request('POST', '/api/domains/sync', { key: server.key });
  const isRunning = async () => {
    server.clock.advance(1000);
    return (await server.request('GET', '/api/domains/sync', { key: server.key })).body.data.running;
  };
  await expect.poll(isRunning, { timeout, interval: 100 }).toBe(false);
}

describe('failing name servers (F-11, T-23)', () => {
  test(`are asked about ${many} domains in parallel, every second of which gets no reply`, async () => {
    const names = await startNameServer();
    const server = await startOver(names);
    addMany(server, many, (index) => `d${index}.test`);
    const asked = new Set<string>();
    const twentyAsked = Promise.withResolvers<void>();
    for (let index = 0; index < many; index += 1) {
      const host = `d${index}.test`;
      // Names are answered once twenty have been asked for: one after the other, all would get no answer.
      names.hosts.set(host, () => {
        if (asked.add(host).size === 20) twentyAsked.resolve();
        return index % 2 ? { silent: true } : { A: [own], after: twentyAsked.promise };
      });
    }
    await sync(server, 70_000);
    expect([countOf(server, 'active = 1'), countOf(server, 'dns_failure_count > 0')]).toEqual([
      many / 2,
      many / 2,
    ]);
  });

  test('do not affect what is served, and redirects do not wait for them', async () => {
    const names = await startNameServer();
    // Longer than the test: no look-up gives up before its answer comes.
    const server = await startOver(names, 120_000);
    names.hosts.set('kept.test', { A: [own] });
    const added = await server.request('POST', '/api/domain/add', { body: { domain: 'kept.test' } });
    await sync(server);
    await server.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/', custom: 'go', domain: added.body.id },
    });
    const answered = Promise.withResolvers<void>();
    names.hosts.set('kept.test', { code: 2, after: answered.promise });
    server.clock.advance(2 * day);
    const before = names.questions.length;
    const run = sync(server);
    await expect.poll(() => names.questions.length).toBeGreaterThan(before);
    for (let count = 0; count < 20; count += 1) {
      expect((await visit(server.port, 'kept.test', '/go')).status).toBe(302);
    }
    expect((await server.request('GET', '/api/domains/sync')).body.data.running).toBe(true);
    answered.resolve();
    await run;
    const { data } = (await server.request('GET', `/api/domain/${added.body.id}`, { key: server.key })).body;
    expect(data).toMatchObject({ dns_status: 1, resolved_ip: own, status: 1, dns_failure_count: 1 });
  });

  test('are asked again after 10 minutes, then less and less often, at least daily', async () => {
    const names = await startNameServer();
    const server = await startOver(names, soon);
    const [id] = addMany(server, 1, () => 'gone.test');
    const waits: number[] = [];
    const read = server.databases.main.prepare('SELECT next_check_at FROM domains WHERE id = ?').pluck();
    for (let failure = 0; failure < 12; failure += 1) {
      await sync(server);
      const next = Number(read.get(id));
      waits.push((next - server.clock.now()) / 60_000);
      // Nothing is asked before its time.
      const asked = names.questions.length;
      await sync(server);
      expect(names.questions.length).toBe(asked);
      server.clock.advance(next - server.clock.now());
    }
    for (const [index, wait] of waits.entries()) {
      const full = Math.min(10 * 2 ** index, 1440);
      expect(wait).toBeGreaterThan(full * 0.9 - 1);
      expect(wait).toBeLessThanOrEqual(full);
    }
  });

  const wrongAnswers: [string, Behavior][] = [
    ['nothing', { silent: true }],
    ['too late', { A: ['198.51.100.1'], delayMs: 2.2 * soon }],
    ['truncated answers', { A: ['198.51.100.1'], truncated: true }],
    ['noise', { garbage: Buffer.from('81800001ffff0000ffff00c00c', 'hex') }],
    ['empty packets', { garbage: Buffer.alloc(0) }],
    ['that they have failed', { code: 2 }],
  ];
  test.each(some(wrongAnswers, { from: 0, short: 3 }))(
    'can reply %s: the last good state stays, and redirects and the API respond',
    async (_what, wrong) => {
      const names = await startNameServer();
      const server = await startOver(names, soon);
      names.hosts.set('kept.test', { A: [own] });
      const added = await server.request('POST', '/api/domain/add', { body: { domain: 'kept.test' } });
      await sync(server);
      await server.request('POST', '/api/url/add', {
        body: { url: 'https://example.com/', custom: 'go', domain: added.body.id },
      });
      names.hosts.set('kept.test', wrong);
      server.clock.advance(2 * day);
      const run = sync(server);
      expect((await visit(server.port, 'kept.test', '/go')).status).toBe(302);
      await run;
      const { data } = (await server.request('GET', `/api/domain/${added.body.id}`, { key: server.key }))
        .body;
      expect(data).toMatchObject({ dns_status: 1, resolved_ip: own, status: 1, dns_failure_count: 1 });
      expect((await visit(server.port, 'kept.test', '/go')).status).toBe(302);
    },
  );

  test('can change their replies with every query without harm', async () => {
    const names = await startNameServer();
    const server = await startOver(names, soon);
    names.hosts.set('flap.test', (asked) => (asked % 4 < 2 ? { A: [own] } : { A: ['198.51.100.1'] }));
    const [id] = addMany(server, 1, () => 'flap.test');
    for (let round = 0; round < 20; round += 1) {
      const reply = await server.request('POST', `/api/domain/${id}/check`, { key: server.key });
      expect(reply.status).toBe(200);
    }
    expect((await server.request('GET', `/api/domain/${id}`, { key: server.key })).body.data.status).toBe(1);
  });
});

describe('clocks (F-07)', () => {
  test('set back two days delay no domain for more than a day', async () => {
    const names = await startNameServer();
    const server = await startOver(names, soon);
    names.hosts.set('time.test', { A: [own] });
    addMany(server, 1, () => 'time.test');
    await sync(server);
    server.clock.jump(-2 * day);
    const asked = names.questions.length;
    await sync(server);
    expect(names.questions.length).toBeGreaterThan(asked);
    const next = server.databases.main.prepare('SELECT next_check_at FROM domains').pluck().get();
    expect(Number(next)).toBeLessThan(server.clock.now() + day);
  });
});

describe('clocks set two days ahead and back again (F-07)', () => {
  test('cause one extra query per change and then wait as before', async () => {
    const names = await startNameServer();
    const server = await startOver(names, soon);
    names.hosts.set('time.test', { A: [own] });
    const [id] = addMany(server, 1, () => 'time.test');
    await sync(server);
    const askedBy = async (work: () => Promise<void>) => {
      const before = names.questions.length;
      await work();
      return names.questions.length - before;
    };
    const once = await askedBy(async () => {
      server.clock.jump(2 * day);
      await sync(server);
    });
    expect(once).toBeGreaterThan(0);
    server.clock.jump(-2 * day);
    expect(await askedBy(() => sync(server))).toBe(once);
    expect(await askedBy(() => sync(server))).toBe(0);
    server.clock.advance(day);
    expect(await askedBy(() => sync(server))).toBe(once);
    const { data } = (await server.request('GET', `/api/domain/${id}`, { key: server.key })).body;
    expect(data).toMatchObject({ status: 1, dns_status: 1, dns_failure_count: 0 });
  });
});
