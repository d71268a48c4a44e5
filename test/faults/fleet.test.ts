import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../../build/free-port.ts';
import { connectEngine } from '../../server/network/fleet/engine.ts';
import { engineUsers } from '../../server/network/fleet/engine-config.ts';
import { joinFleet } from '../../server/network/fleet/join.ts';
import { fleetSubjects } from '../../server/network/fleet/subjects.ts';
import { lockFolder } from '../../server/platform/database/lock.ts';
import type { TestApp } from '../support/app.ts';
import { selfSigned } from '../support/certificates.ts';
import {
  fleetUrl,
  newToken,
  removeFolders,
  startEdge,
  startOrigin,
  stateIs,
  type TestEdge,
} from '../support/fleet.ts';
import { hasNats, type NatsServer, natsUsers, startCluster, startNats } from '../support/nats.ts';
import { runProgram } from '../support/spawned-command.ts';
import { type SpawnedServer, setUpAccount, spawnEdge, spawnServer } from '../support/spawned-server.ts';

describe.skipIf(!hasNats)('an edge as a program', () => {
  let nats: NatsServer;
  let server: TestApp;
  let folder = '';

  beforeAll(async () => {
    nats = await startNats(engineUsers(natsUsers));
    server = await startOrigin(nats);
    folder = mkdtempSync(join(tmpdir(), 'waypost-edge-'));
  });

  afterAll(async () => {
    await server.close();
    await nats.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (...options: string[]) =>
    runProgram('edge', '--data', folder, '--host', '127.0.0.1', '--port', '0', ...options);

  test('does not use up its token for a folder that another process holds', async () => {
    const { token } = await newToken(server);
    const lock = lockFolder(folder);
    const { code, err } = await start('--join', token);
    expect([code, err]).toEqual([3, expect.stringContaining('already uses the data folder')]);
    lock.close();
    const joined = await joinFleet({ folder, token, version: '1', now: server.clock.now() });
    expect(joined.name).toBe('Oslo');
  });

  test('exits immediately, with a message, if its token no longer works', async () => {
    const { code, err } = await start('--join', 'wayedge_changed');
    expect([code, err]).toEqual([2, expect.stringContaining('cut or changed')]);
  });
});

describe.skipIf(!hasNats)('an engine with a certificate of its own authority', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-fleet-tls-'));
  const running: SpawnedServer[] = [];
  afterAll(async () => {
    for (const server of running) await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is used by an origin and an edge that know it, and reported by one that does not', {
    tags: 'long',
  }, async () => {
    const made = await selfSigned({ names: ['127.0.0.1'] });
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const [certificate, key] = [file('cert.pem', made.certificate), file('key.pem', made.key)];
    const tls = `tls { cert_file: ${JSON.stringify(certificate)}, key_file: ${JSON.stringify(key)} }`;
    const webPort = await freePort();
    const web = `websocket { listen: "127.0.0.1:${webPort}", ${tls} }`;
    const nats = await startNats(`${tls}\n${web}\n${engineUsers(natsUsers)}`);
    const url = nats.url.replace('nats:', 'tls:');
    const told = ['env', `NODE_EXTRA_CA_CERTS=${certificate}`];
    const setUp = async (name: string, prefix: string[]) => {
      const server = await spawnServer(join(folder, name), [], prefix);
      running.push(server);
      const apiKey = await setUpAccount(server);
      const ask = async (method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
        const sent = body && { body: JSON.stringify(body) };
        return await (await fetch(server.origin + path, { method, headers, ...sent })).json();
      };
      expect(await ask('PUT', '/api/settings', { baseUrl: fleetUrl })).toMatchObject({ error: 0 });
      return ask;
    };
    try {
      const untold = await setUp('untold', ['env', '-u', 'NODE_EXTRA_CA_CERTS']);
      expect(await untold('PUT', '/api/fleet/update', { enabled: true, url, ...natsUsers })).toMatchObject({
        code: 'fleet_unreachable',
        message: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
        data: { reason: 'tls' },
      });
      const ask = await setUp('told', told);
      expect(await ask('PUT', '/api/fleet/update', { enabled: true, url, ...natsUsers })).toMatchObject({
        error: 0,
      });
      await ask('POST', '/api/url/add', { url: 'https://example.org/', custom: 'sealed' });
      const expectEdgeToAnswer = async (name: string) => {
        const { token } = await ask('POST', '/api/fleet/edge/add', { name });
        const edge = await spawnEdge(join(folder, name), ['--join', token], told);
        running.push(edge);
        const status = async () => (await fetch(`${edge.origin}/sealed`, { redirect: 'manual' })).status;
        await expect.poll(status, { timeout: 40_000, interval: 1_000 }).toBe(302);
      };
      await expectEdgeToAnswer('Oslo');
      // Where only the ports of websites are open.
      const wss = `wss://127.0.0.1:${webPort}`;
      expect(await ask('PUT', '/api/fleet/update', { url: wss })).toMatchObject({ error: 0 });
      const state = async () => (await ask('GET', '/api/fleet')).data.state;
      await expect.poll(state, { timeout: 40_000, interval: 1_000 }).toBe('connected');
      await expectEdgeToAnswer('Lima');
    } finally {
      await nats.close();
    }
  });
});

describe.skipIf(!hasNats)('a fleet on three engines', () => {
  test('continues when one of them is lost, and lets a new edge join', async ({ skip }) => {
    skip(!inject('isLong'), 'three engines agree slowly beside other tests: npm run test:faults');
    const cluster = await startCluster();
    const server = await startOrigin(cluster);
    const first = await startEdge(server);
    const later: TestEdge[] = [];
    try {
      const add = async (custom: string) =>
        (await server.request('POST', '/api/url/add', { body: { url: 'https://example.org/', custom } })).body
          .id;
      // More misses than sixty a minute are refused.
      const answers = (edge: TestEdge, path: string) =>
        expect
          .poll(async () => (await edge.visit(path)).status, { timeout: 60_000, interval: 1_000 })
          .toBe(302);
      const id = await add('before');
      await answers(first, '/before');
      // The one that leads the copies of the snapshot: without copies it would be the only one that has it.
      const engine = await connectEngine({ url: cluster.url, ...natsUsers }, 'waypost-origin');
      const { cluster: copies } = await engine.manager.streams.info(`OBJ_${fleetSubjects.snapshots}`);
      await engine.close();
      const leader = Number(copies?.leader?.replace('waypost-', '')) - 1;
      await cluster.servers[leader]?.kill();
      await add('after');
      await answers(first, '/after');
      await answers(first, '/before');
      later.push(await startEdge(server));
      for (const edge of later) await answers(edge, '/before');
      const clicks = async () => (await server.request('GET', `/api/url/${id}/stats`)).body.data.clicks;
      await expect.poll(clicks, { timeout: 60_000, interval: 250 }).toBe(3);
    } finally {
      for (const edge of [first, ...later]) await edge.close();
      await server.close();
      await cluster.close();
      removeFolders(first, ...later);
    }
  });

  test('recovers within a minute when all of them are killed at once, with its edges and every click', async ({
    skip,
  }) => {
    skip(!inject('isLong'), 'three engines agree slowly beside other tests: npm run test:faults');
    const cluster = await startCluster();
    const server = await startOrigin(cluster);
    const edges = [await startEdge(server), await startEdge(server)];
    const patience = { timeout: 60_000, interval: 1_000 };
    try {
      const body = { url: 'https://example.org/', custom: 'all' };
      const { id } = (await server.request('POST', '/api/url/add', { body })).body;
      for (const edge of edges)
        await expect.poll(async () => (await edge.visit('/all')).status, patience).toBe(302);
      const shown = async () =>
        (await server.request('GET', '/api/fleet/edges')).body.data.edges.map(
          ({ state }: { state: string }) => state,
        );
      await expect.poll(shown, patience).toEqual(['current', 'current']);
      await Promise.all(cluster.servers.map((engine) => engine.kill()));
      await stateIs(server, 'unreachable');
      for (const edge of edges) expect((await edge.visit('/all')).status).toBe(302);
      await Promise.all(cluster.servers.map((engine) => engine.restart()));
      await expect.poll(shown, patience).toEqual(['current', 'current']);
      const clicks = async () => (await server.request('GET', `/api/url/${id}/stats`)).body.data.clicks;
      await expect.poll(clicks, patience).toBe(4);
      const later = await startEdge(server);
      edges.push(later);
      await expect.poll(async () => (await later.visit('/all')).status, patience).toBe(302);
    } finally {
      for (const edge of edges) await edge.close();
      await server.close();
      await cluster.close();
      removeFolders(...edges);
    }
  });
});
