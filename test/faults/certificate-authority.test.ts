import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { type DomainBench, startDomainBench, visit, visitSecurely } from '../support/domain-bench.ts';
import { providePebble } from '../support/provision.ts';
import { times } from '../support/trials.ts';

const day = 86_400_000;
/** How often a domain is deleted while its certificate is issued. */
const races = times({ short: 2, long: 200 });

/** Acts when an authority asks for a challenge's answer, before it gets one. Resolves when that is done. */
function onChallenge(act: () => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const look = (message: unknown) => {
      const { request } = message as { request: IncomingMessage };
      if (!request.url?.startsWith('/.well-known/acme-challenge/')) return;
      unsubscribe('http.server.request.start', look);
      resolve(act());
    };
    subscribe('http.server.request.start', look);
  });
}

const hasPebble = await providePebble();

describe.skipIf(!hasPebble)('failing certificate authorities (F-11, T-23)', () => {
  let bench: DomainBench | undefined;
  let root = '';
  async function startBench(options: Parameters<typeof startDomainBench>[0] = {}): Promise<DomainBench> {
    bench = await startDomainBench(options);
    root = await bench.pebble.issuingRoot();
    return bench;
  }
  afterEach(() => bench?.close());

  test('can reject every second nonce', { tags: 'long' }, async () => {
    const bench = await startBench({ nonceReject: 50 });
    const ids: number[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await bench.add(`nonce${count}.test`));
    await bench.sync();
    for (const id of ids) expect(await bench.read(id)).toMatchObject({ ssl_status: 1 });
    await visitSecurely(bench.server.httpsPort, 'nonce4.test', '/', root);
  });

  test('can disappear halfway: plain HTTP keeps working, and the next attempt is made later', {
    tags: 'long',
  }, async () => {
    const bench = await startBench({ orderMs: 3_000 });
    const id = await bench.add('half.test');
    await bench.server.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/', custom: 'go', domain: id },
    });
    const killed = onChallenge(() => bench.pebble.kill());
    const run = bench.sync();
    await killed;
    expect((await visit(bench.server.port, 'half.test', '/go')).status).toBe(302);
    await run;
    expect(await bench.read(id)).toMatchObject({ server_synced: 1, ssl_status: 0, status: 1 });
    expect((await bench.events(id))[0]).toBe('certificate_failed');
    expect((await visit(bench.server.port, 'half.test', '/go')).status).toBe(302);
    expect(bench.keyFiles()).not.toContain(`domain-${id}.pem`);
  });

  test('can lose their name server as well: what is served stays served', async () => {
    const bench = await startBench();
    const id = await bench.add('alone.test');
    await bench.server.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/', custom: 'go', domain: id },
    });
    await bench.sync();
    await bench.pebble.killNames();
    await bench.pebble.kill();
    bench.clock.advance(2 * day);
    await bench.sync();
    expect(await bench.read(id)).toMatchObject({
      status: 1,
      dns_status: 1,
      ssl_status: 1,
      resolved_ip: '127.0.0.1',
      dns_failure_count: 1,
    });
    expect(await bench.events(id)).toEqual(['dns_failed', 'certificate_issued', 'activated', 'added']);
    const { head } = await visitSecurely(bench.server.httpsPort, 'alone.test', '/go', root);
    expect(head).toContain('302 Found');
    expect((await bench.server.request('GET', '/api/account')).status).toBe(200);
  });

  test('are not asked twice while the clock is set ahead and back (F-07)', {
    tags: 'long',
  }, async () => {
    const bench = await startBench();
    const id = await bench.add('clock.test');
    await bench.sync();
    const serial = async () =>
      (await visitSecurely(bench.server.httpsPort, 'clock.test', '/', root)).certificate.serialNumber;
    const first = await serial();
    for (const days of [2, -2, -2, 2]) {
      bench.clock.jump(days * day);
      await bench.sync();
      expect(await bench.read(id)).toMatchObject({ status: 1, ssl_status: 1 });
    }
    expect(await serial()).toBe(first);
    expect((await bench.events(id)).filter((event) => event === 'certificate_issued')).toHaveLength(1);
  });

  test("do not let one domain's failure delay another, and give the reason", { tags: 'long' }, async () => {
    const bench = await startBench();
    const broken = await bench.add('broken.test');
    const fine = await bench.add('fine.test');
    await bench.sync();
    expect(await bench.read(fine)).toMatchObject({ ssl_status: 1 });
    await bench.server.request('DELETE', `/api/domain/${broken}/delete`);
    const again = await bench.add('again.test');
    // The authority's own look-up fails, ours has passed a moment ago.
    const { main } = bench.server.databases;
    main
      .prepare('UPDATE domains SET next_check_at = ?, active = 1, server_synced = 1 WHERE id = ?')
      .run(bench.clock.now() + day / 2, again);
    await bench.pebble.setFailing('again.test', true);
    await bench.sync();
    const { body } = await bench.server.request('GET', `/api/domain/${again}/log`);
    expect(body.data.log[0]).toMatchObject({ event: 'certificate_failed' });
    expect(body.data.log[0].message).toMatch(/^No certificate yet: .{10,}/);
    expect(body.data.certificate.nextattempt).not.toBeNull();
  });

  test(`do not restore a domain deleted while its certificate was issued, ${races} times`, async () => {
    const bench = await startBench();
    const { server, pebble, clock } = bench;
    await pebble.point('race.test', '127.0.0.1');
    for (let round = 0; round < races; round += 1) {
      clock.advance(2 * 3_600_000);
      const added = await server.request('POST', '/api/domain/add', { body: { domain: 'race.test' } });
      expect(added.status).toBe(201);
      const { id } = added.body;
      await server.request('POST', '/api/domains/sync');
      // At a different moment of the order in each round: an order takes about 100 ms here.
      await new Promise((resolve) => setTimeout(resolve, (round * 37) % 150));
      expect((await server.request('DELETE', `/api/domain/${id}/delete`)).status).toBe(200);
      const isRunning = async () => {
        clock.advance(1000);
        return (await server.request('GET', '/api/domains/sync')).body.data.running;
      };
      await expect.poll(isRunning, { timeout: 30_000, interval: 20 }).toBe(false);
      expect(server.databases.main.prepare('SELECT count(*) FROM domains').pluck().get()).toBe(0);
      expect(server.databases.main.prepare('SELECT count(*) FROM domain_log').pluck().get()).toBe(0);
      expect(bench.keyFiles().filter((name) => name.startsWith('domain-'))).toEqual([]);
      expect(server.app.certificateFor('race.test')).toBeUndefined();
    }
  });
});
