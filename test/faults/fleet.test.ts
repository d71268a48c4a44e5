import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectEngine } from '../../server/network/fleet/engine.ts';
import { engineUsers } from '../../server/network/fleet/engine-config.ts';
import { joinFleet } from '../../server/network/fleet/join.ts';
import { fleetSubjects } from '../../server/network/fleet/subjects.ts';
import { lockFolder } from '../../server/platform/database/lock.ts';
import type { TestApp } from '../support/app.ts';
import { newToken, removeFolders, startEdge, startOrigin, type TestEdge } from '../support/fleet.ts';
import { hasNats, type NatsServer, natsUsers, startCluster, startNats } from '../support/nats.ts';
import { runProgram } from '../support/spawned-command.ts';

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

  test('ends at once, with a sentence, for a token that works no more', async () => {
    const { code, err } = await start('--join', 'wayedge_changed');
    expect([code, err]).toEqual([2, expect.stringContaining('cut or changed')]);
  });
});

describe.skipIf(!hasNats)('a fleet on three engines', () => {
  test('goes on when one of them is lost, and lets a new edge join', async ({ skip }) => {
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
          .poll(async () => (await edge.visit(path)).status, { timeout: 40_000, interval: 1_000 })
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
      await expect.poll(clicks, { timeout: 40_000, interval: 250 }).toBe(3);
    } finally {
      for (const edge of [first, ...later]) await edge.close();
      await server.close();
      await cluster.close();
      removeFolders(first, ...later);
    }
  });
});
