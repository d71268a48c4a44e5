import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { visit, visitSecurely } from '../../support/domain-bench.ts';
import { type NameServer, startNameServer } from '../../support/name-server.ts';

const day = 86_400_000;
const clock = testClock(Date.now());
let names: NameServer;
let server: TestApp;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-local-'));
  names = await startNameServer();
  names.hosts.set('links.home', { A: ['192.168.7.7'] });
  server = await start();
});
afterAll(async () => {
  await server.close();
  await names.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(mode: 'local' | 'external' = 'local'): Promise<TestApp> {
  const settings = { publicAddresses: ['192.168.7.7'], dnsServers: [names.address], ssl: { mode } };
  return startApp({ clock, folder, https: true, ratelimit: 10_000, settings });
}

async function sync(): Promise<void> {
  await server.request('POST', '/api/domains/sync');
  const isRunning = async () => (await server.request('GET', '/api/domains/sync')).body.data.running;
  await expect.poll(isRunning, { timeout: 10_000 }).toBe(false);
}

const root = async () => (await fetch(`${server.origin}/ca/root.crt`)).text();

test('a local name gets a certificate whose root can be downloaded and trusted', async () => {
  const added = await server.request('POST', '/api/domain/add', { body: { domain: 'links.home' } });
  expect(added.status).toBe(201);
  await sync();
  const trusted = await root();
  expect(trusted).toMatch(/^-----BEGIN CERTIFICATE-----/);
  expect(trusted).not.toContain('KEY');
  const { head } = await visitSecurely(server.httpsPort, 'links.home', '/', trusted);
  expect(head).toContain('200 OK');
  expect((await visit(server.port, 'links.home', '/x')).location).toBe('https://links.home/x');
});

test('the root and the certificate are the same after a restart', async () => {
  const before = await root();
  const port = server.httpsPort;
  const first = await visitSecurely(port, 'links.home', '/', before);
  await server.close();
  server = await start();
  expect(await root()).toBe(before);
  const second = await visitSecurely(server.httpsPort, 'links.home', '/', before);
  expect(second.certificate.serialNumber).toBe(first.certificate.serialNumber);
});

test('a certificate missing from the folder is created again', async () => {
  await server.close();
  const file = join(folder, 'certificates', 'domain-1.pem');
  expect(existsSync(file)).toBe(true);
  rmSync(file);
  server = await start();
  expect((await visit(server.port, 'links.home', '/x')).status).toBe(404);
  clock.advance(day);
  await sync();
  expect((await visit(server.port, 'links.home', '/x')).status).toBe(307);
});

test('behind a proxy, there are no certificates and redirects of ours', async () => {
  await server.close();
  server = await start('external');
  await sync();
  const { data } = (await server.request('GET', '/api/domain/1')).body;
  expect(data).toMatchObject({ ssl_status: 1, server_synced: 1 });
  expect((await visit(server.port, 'links.home', '/x')).status).toBe(404);
  await expect(visitSecurely(server.httpsPort, 'links.home', '/', '')).rejects.toThrow();
});
