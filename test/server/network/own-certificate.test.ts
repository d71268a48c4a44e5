import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { type DomainBench, startDomainBench, visit, visitSecurely } from '../../support/domain-bench.ts';
import { providePebble } from '../../support/provision.ts';

const day = 86_400_000;
/** What makes browsers refuse plain HTTP for months (RFC 6797). */
const strict = 'Strict-Transport-Security';
const hasPebble = await providePebble();

/** Runs the job and returns what is told of it; `key` where the app was not set up by this start. */
async function syncOf(server: TestApp, key = server.key) {
  await server.request('POST', '/api/domains/sync', { key });
  let { data } = (await server.request('GET', '/api/domains/sync', { key })).body;
  await expect
    .poll(
      async () => {
        ({ data } = (await server.request('GET', '/api/domains/sync', { key })).body);
        return data.running;
      },
      { timeout: 20_000 },
    )
    .toBe(false);
  return data;
}

describe("the instance's address by the local authority", () => {
  // A year passes here, and the client that visits goes by the real clock.
  const clock = testClock(Date.now() - 370 * day);
  let folder: string;
  let server: TestApp;
  let key: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'waypost-own-'));
    server = await start();
    key = server.key;
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const start = (mode: 'local' | 'off' = 'local') =>
    startApp({
      clock,
      folder,
      https: true,
      ratelimit: 10_000,
      baseUrl: 'http://links.home:8420',
      settings: { ssl: { mode } },
    });
  const root = async () => (await fetch(`${server.origin}/ca/root.crt`)).text();
  const meta = async (host: string) =>
    visitSecurely(server.httpsPort, host, '/api/meta', await root()).then(({ head, certificate }) => {
      expect(head).toContain(' 200 OK');
      expect(head).not.toContain(strict);
      return certificate;
    });

  test('serves the API over HTTPS by each of its names and addresses', async () => {
    const { own } = await syncOf(server, key);
    expect(own).toMatchObject({
      names: ['links.home', 'localhost', '127.0.0.1', '::1'],
      expires: expect.any(String),
      nextattempt: null,
      message: null,
    });
    for (const name of ['links.home', 'localhost', '127.0.0.1']) {
      const certificate = await meta(`${name}:${server.httpsPort}`);
      expect(certificate.subjectaltname).toBe(
        'DNS:links.home, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
      );
    }
  });

  test('also by its name without a port, as a router forwards 443 to it, and by no other port', async () => {
    await meta('links.home');
    const { head } = await visitSecurely(server.httpsPort, 'links.home:9', '/api/meta', await root());
    expect(head).toContain(' 421 ');
  });

  test('keeps plain HTTP while the URL says http', async () => {
    expect((await visit(server.port, 'links.home:8420', '/api/meta')).status).toBe(200);
    expect((await visit(server.port, 'links.home:8420', '/x')).status).toBe(404);
  });

  test('has no certificate for other names', async () => {
    await expect(visitSecurely(server.httpsPort, 'other.home', '/', await root())).rejects.toThrow();
  });

  test('keeps its certificate over a restart and until 30 days before expiry', async () => {
    const first = (await meta('links.home')).serialNumber;
    await server.close();
    server = await start();
    await syncOf(server, key);
    expect((await meta('links.home')).serialNumber).toBe(first);
    clock.advance(366 * day);
    await syncOf(server, key);
    expect((await meta('links.home')).serialNumber).toBe(first);
    clock.advance(2 * day);
    await syncOf(server, key);
    expect((await meta('links.home')).serialNumber).not.toBe(first);
  });

  test('is certified by the new root if the old one is lost', async () => {
    rmSync(join(folder, 'certificates', 'local-authority.pem'));
    const { own: before } = (await server.request('GET', '/api/domains/sync', { key })).body.data;
    const { own: after } = await syncOf(server, key);
    expect(after.root).not.toBe(before.root);
    await meta('links.home');
  });

  test('is no longer served once certificates are turned off', async () => {
    const trusted = await root();
    await server.close();
    server = await start('off');
    expect((await syncOf(server, key)).own).toBeNull();
    for (const name of ['links.home', '127.0.0.1']) {
      await expect(visitSecurely(server.httpsPort, name, '/', trusted)).rejects.toThrow();
    }
  });
});

test('a certificate of the local authority never makes browsers refuse plain HTTP', async () => {
  const local = await startApp({
    clock: testClock(Date.now()),
    https: true,
    ratelimit: 10_000,
    baseUrl: 'https://links.home',
    settings: { ssl: { mode: 'local' } },
  });
  await syncOf(local);
  const root = await (await fetch(`${local.origin}/ca/root.crt`)).text();
  for (const name of ['links.home', 'localhost', '127.0.0.1']) {
    for (const path of ['/api/meta', '/nothing-here']) {
      const { head } = await visitSecurely(local.httpsPort, `${name}:${local.httpsPort}`, path, root);
      expect(head).toMatch(/^HTTP\/1.1 (200|404) /);
      expect(head).not.toContain(strict);
    }
  }
  await local.close();
});

describe('a certificate for network names', () => {
  test('is served in every mode, identified by its fingerprint, and kept while the names stay', async () => {
    const server = await startApp({ https: true, clock: testClock(Date.now()) });
    const { forNetworkNames } = server.app.certificates;
    const names = ['box.local', '127.0.0.1'];
    const made = await forNetworkNames(names);
    expect(made.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    const pem = readFileSync(join(server.folder, 'certificates', 'local-authority.pem'), 'utf8');
    const root = pem.slice(pem.indexOf('-----BEGIN CERTIFICATE-----'));
    for (const name of names) {
      const { certificate, head } = await visitSecurely(server.httpsPort, name, '/', root);
      expect(head).not.toContain(strict);
      expect(certificate.fingerprint256).toBe(made.fingerprint);
    }
    expect((await forNetworkNames(names)).fingerprint).toBe(made.fingerprint);
    const fewer = await forNetworkNames(['box.local']);
    expect(fewer.fingerprint).not.toBe(made.fingerprint);
    expect(fewer.rootFingerprint).toBe(made.rootFingerprint);
    await expect(visitSecurely(server.httpsPort, 'other.local', '/', root)).rejects.toThrow();
    await server.close();
  });
});

describe.skipIf(!hasPebble)("the instance's address by ACME", () => {
  let bench: DomainBench;
  const host = 'links.example.com';
  beforeAll(async () => {
    bench = await startDomainBench();
    await bench.pebble.point(host, '127.0.0.1');
  });
  afterAll(() => bench.close());

  test('gets no certificate unless it is a public name', async () => {
    for (const baseUrl of [null, 'http://links.home:8420', 'http://192.0.2.7', 'http://localhost:8420']) {
      await bench.server.request('PUT', '/api/settings', { body: { baseUrl } });
      expect((await syncOf(bench.server)).own).toBeNull();
    }
  });

  test('reports why there is none yet, and retries later', async () => {
    const { server, pebble, clock } = bench;
    await pebble.setFailing(host, true);
    await server.request('PUT', '/api/settings', { body: { baseUrl: `https://${host}` } });
    const { own } = await syncOf(server);
    expect(own).toMatchObject({ names: [host], expires: null, message: expect.stringMatching(/.{10}/) });
    expect(own.nextattempt).not.toBeNull();
    await pebble.setFailing(host, false);
    const orders = () =>
      server.databases.main.prepare('SELECT count(*) FROM certificate_orders').pluck().get();
    expect(orders()).toBe(1);
    await syncOf(server);
    expect(orders()).toBe(1);
    clock.advance(600_000);
    expect((await syncOf(server)).own).toMatchObject({ expires: expect.any(String), message: null });
    expect(orders()).toBe(2);
  });

  test('serves the API over HTTPS, and redirects plain visitors and administrators there', async () => {
    const { server, pebble } = bench;
    const root = await pebble.issuingRoot();
    for (const name of [host, `${host}:${server.httpsPort}`]) {
      const { head, certificate } = await visitSecurely(server.httpsPort, name, '/api/meta', root);
      expect(head).toContain(' 200 OK');
      expect(certificate.subjectaltname).toBe(`DNS:${host}`);
    }
    for (const path of ['/go', '/admin/']) {
      expect(await visit(server.port, host, path)).toEqual({
        status: 307,
        location: `https://${host}${path}`,
      });
    }
    expect((await visit(server.port, `localhost:${server.port}`, '/api/meta')).status).toBe(200);
    expect((await visit(server.port, `localhost:${server.port}`, '/unknown')).status).toBe(404);
  });

  test('does not serve the API on branded domains', async () => {
    await bench.add('brand.test');
    await bench.sync();
    const root = await bench.pebble.issuingRoot();
    for (const path of ['/api/meta', '/admin/']) {
      const { head } = await visitSecurely(bench.server.httpsPort, 'brand.test', path, root);
      expect(head).toContain(' 421 ');
    }
  });

  test('is remembered by browsers for half a year, without affecting other names', async () => {
    const { server } = bench;
    const root = await bench.pebble.issuingRoot();
    const headOf = async (name: string, path: string) =>
      (await visitSecurely(server.httpsPort, name, path, root)).head;
    for (const path of ['/api/meta', '/admin/', '/nothing-here']) {
      expect(await headOf(host, path)).toContain(`\r\n${strict}: max-age=15768000\r\n`);
      expect(await headOf('brand.test', path)).not.toContain(strict);
      const plain = await fetch(`${server.origin}${path}`, { redirect: 'manual' });
      expect(plain.headers.get(strict)).toBeNull();
    }
    // A port of its own is one of many of that name, and browsers would keep to HTTPS on all of them.
    for (const baseUrl of [`https://${host}:${server.httpsPort}`, `http://${host}`]) {
      await server.request('PUT', '/api/settings', { body: { baseUrl } });
      expect(await headOf(`${host}:${server.httpsPort}`, '/api/meta')).not.toContain(strict);
    }
    await server.request('PUT', '/api/settings', { body: { baseUrl: `https://${host}` } });
  });

  test('is not ordered again before 30 days of its expiry, and never without a free order', async () => {
    const { server, pebble, clock } = bench;
    const root = await pebble.issuingRoot();
    const serial = async () =>
      (await visitSecurely(server.httpsPort, host, '/api/meta', root)).certificate.serialNumber;
    const first = await visitSecurely(server.httpsPort, host, '/api/meta', root);
    await syncOf(server);
    expect(await serial()).toBe(first.certificate.serialNumber);
    clock.advance(Date.parse(first.certificate.valid_to) - clock.now() - 29 * day);
    const fill = server.databases.main.prepare('INSERT INTO certificate_orders (at) VALUES (?)');
    for (let count = 0; count < 5; count += 1) fill.run(clock.now() - 1);
    await syncOf(server);
    expect(await serial()).toBe(first.certificate.serialNumber);
    clock.advance(3_600_000);
    await syncOf(server);
    expect(await serial()).not.toBe(first.certificate.serialNumber);
    expect(existsSync(join(server.folder, 'certificates', 'own.pem'))).toBe(true);
  });
});
