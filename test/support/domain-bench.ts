import { readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { connect, getCACertificates, type PeerCertificate, setDefaultCACertificates } from 'node:tls';
import { expect } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { type TestClock, testClock } from './clock.ts';
import { type Pebble, startPebble } from './pebble.ts';

export interface DomainBench {
  server: TestApp;
  pebble: Pebble;
  clock: TestClock;
  /** Adds a domain that resolves to the service; returns its id. */
  add(host: string): Promise<number>;
  /** The published record of a domain. */
  read(id: number): Promise<Record<string, unknown>>;
  /** Events of a domain's log, newest first. */
  events(id: number): Promise<string[]>;
  /** Runs the job and waits for its end. */
  sync(): Promise<void>;
  /** Names of the stored key files; also checks that each is private. */
  keyFiles(): string[];
  close(): Promise<void>;
}

type BenchOptions = Omit<Parameters<typeof startPebble>[0], 'httpPort'> & { orderMs?: number };

/** The real app with a real certificate authority and name server, all on loopback. */
export async function startDomainBench({ orderMs, ...options }: BenchOptions = {}): Promise<DomainBench> {
  // The name server is known only after the listener, whose port pebble has to know: settings come second.
  const clock = testClock(Date.now());
  const started = await startApp({
    clock,
    https: true,
    ratelimit: 10_000,
    ...(orderMs !== undefined && { orderMs }),
  });
  // The primary key, which does not expire: some tests advance the clock by years.
  const server: TestApp = {
    ...started,
    request: (method, path, request = {}) => started.request(method, path, { key: started.key, ...request }),
  };
  const pebble = await startPebble({ ...options, httpPort: server.port });
  setDefaultCACertificates([...getCACertificates('default'), pebble.ownRoot]);
  const changed = await server.request('PUT', '/api/settings', {
    body: {
      publicAddresses: ['127.0.0.1'],
      dnsServers: [pebble.nameServer],
      ssl: { mode: 'acme', acmeDirectory: pebble.directory, acmeEmail: 'owner@example.com' },
    },
  });
  expect(changed.status).toBe(200);
  const folder = join(server.folder, 'certificates');
  return {
    server,
    pebble,
    clock,
    async add(host) {
      await pebble.point(host, '127.0.0.1');
      const reply = await server.request('POST', '/api/domain/add', { body: { domain: host } });
      expect([reply.status, reply.body.code]).toEqual([201, undefined]);
      return reply.body.id;
    },
    read: async (id) => (await server.request('GET', `/api/domain/${id}`)).body.data,
    async events(id) {
      const { body } = await server.request('GET', `/api/domain/${id}/log?limit=100`);
      return body.data.log.map((entry: { event: string }) => entry.event);
    },
    async sync() {
      clock.advance(60_000);
      await server.request('POST', '/api/domains/sync');
      const isRunning = async () => {
        clock.advance(1000);
        return (await server.request('GET', '/api/domains/sync')).body.data.running;
      };
      await expect.poll(isRunning, { timeout: 90_000, interval: 100 }).toBe(false);
    },
    keyFiles() {
      const names = readdirSync(folder).sort();
      for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      return names;
    },
    async close() {
      await server.close();
      await pebble.close();
    },
  };
}

/** A request with any Host over plain HTTP. */
export function visit(
  port: number,
  host: string,
  path: string,
): Promise<{ status: number; location: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (response) => {
      response.resume();
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '' });
      });
    });
    sent.on('error', reject).end();
  });
}

/**
 * A request over TLS by a client that trusts one root only, and checks the name. An address is named in no handshake,
 * as browsers do (RFC 6066, section 3).
 */
export function visitSecurely(
  port: number,
  host: string,
  path: string,
  root: string,
  address = '127.0.0.1',
): Promise<{ head: string; certificate: PeerCertificate }> {
  return new Promise((resolve, reject) => {
    const [name = host] = host.split(':');
    const servername = isIP(name) === 0 ? { servername: name } : {};
    const socket = connect({ host: address, port, ...servername, ca: [root] }, () => {
      const certificate = socket.getPeerCertificate();
      let head = '';
      socket.on('data', (chunk) => {
        head += chunk;
      });
      socket.on('end', () => resolve({ head, certificate }));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });
    socket.on('error', reject);
  });
}
