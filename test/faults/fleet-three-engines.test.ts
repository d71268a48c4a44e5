import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { connectEngine, type Engine } from '../../server/network/fleet/engine.ts';
import { fleetSubjects } from '../../server/network/fleet/subjects.ts';
import type { TestApp } from '../support/app.ts';
import { browser, removeFolders, startEdge, startOrigin, stateIs, type TestEdge } from '../support/fleet.ts';
import { hasNats, natsUsers, startCluster } from '../support/nats.ts';
import { trialOf } from '../support/trials.ts';

const slowly = 'three engines agree slowly beside other tests: npm run test:faults';
/** Until three engines have chosen who leads, of each stream. */
const patience = { timeout: 60_000, interval: 1_000 };
const rounds = 3;
/** More than machines answer before the engines are gone. */
const limit = 100_000;
const streams = [
  ...[fleetSubjects.changes.stream, fleetSubjects.state.stream, fleetSubjects.limits.stream],
  ...[fleetSubjects.clicks.stream, fleetSubjects.files.stream, `OBJ_${fleetSubjects.snapshots}`],
];

async function make(server: TestApp, path: string, body: object): Promise<number> {
  const reply = await server.request('POST', path, { body });
  expect(reply.body).toMatchObject({ error: 0 });
  return reply.body.id;
}

const clicksOf = async (server: TestApp, id: number): Promise<number> =>
  (await server.request('GET', `/api/url/${id}/stats`)).body.data.clicks;

const answers = (edge: TestEdge, path: string) =>
  expect.poll(async () => (await edge.visit(path)).status, patience).toBe(302);

describe.skipIf(!hasNats)('a fleet on three engines', () => {
  test('counts each click, limited ones too, and each form entry once when all are killed under load', {
    timeout: 600_000,
  }, async (context) => {
    context.skip(!inject('isLong'), slowly);
    const trial = trialOf(context, 'fleet', 'three engines killed at once under load');
    const cluster = await startCluster();
    const server = await startOrigin(cluster, { folder: mkdtempSync(join(tmpdir(), 'waypost-origin-')) });
    const edges = [await startEdge(server), await startEdge(server)];
    const machines = [...edges.map(({ origin }) => origin), server.origin];
    const answered = { open: 0, limited: 0 };
    const entries: string[] = [];
    try {
      const url = 'https://example.org/';
      const open = await make(server, '/api/url/add', { url, custom: 'open' });
      const limited = await make(server, '/api/url/add', { url, custom: 'limited', clicklimit: limit });
      const last = await make(server, '/api/url/add', { url, custom: 'last', clicklimit: 5 });
      const blocks = [{ type: 'contact', title: 'Write' }];
      const bio = await make(server, '/api/bio/add', { name: 'Me', alias: 'me', blocks });
      const known = (edge: TestEdge) =>
        expect.poll(async () => (await edge.visit('/me')).status, patience).toBe(200);
      for (const edge of edges) await known(edge);

      const follow = async (machine: string, isOver: () => boolean) => {
        for (let visit = 0; !isOver(); visit += 1) {
          const kind = visit % 2 === 0 ? 'open' : 'limited';
          const reply = await fetch(`${machine}/${kind}`, { redirect: 'manual', headers: browser });
          await reply.arrayBuffer();
          if (reply.status === 302) answered[kind] += 1;
        }
      };
      const write = async (machine: string, message: string) => {
        const body = new URLSearchParams({ name: 'Dana', email: 'dana@example.com', message });
        const sent = { method: 'POST', redirect: 'manual', headers: browser, body } as const;
        const reply = await fetch(`${machine}/bio/${bio}/1`, sent);
        await reply.text();
        if (reply.status === 200) entries.push(message);
      };
      for (let round = 0; round < rounds; round += 1) {
        trial.tried += 1;
        let isOver = false;
        const before = answered.limited;
        const clients = machines.map((machine) => follow(machine, () => isOver));
        await expect.poll(() => answered.limited, patience).toBeGreaterThan(before + 20);
        const writing = edges.map(({ origin }, at) => write(origin, `round ${round}, edge ${at}, before`));
        await Promise.all(cluster.servers.map((engine) => engine.kill()));
        await Promise.all(writing);
        await stateIs(server, 'unreachable');
        for (const [at, { origin }] of edges.entries())
          await write(origin, `round ${round}, edge ${at}, while away`);
        await Promise.all(cluster.servers.map((engine) => engine.restart()));
        const back = answered.limited;
        await expect.poll(() => answered.limited, patience).toBeGreaterThan(back);
        isOver = true;
        await Promise.all(clients);
        trial.survived += 1;
      }
      const isShipped = async () =>
        (await server.request('GET', '/api/fleet/edges')).body.data.edges.map(
          ({ state, waiting }: { state: string; waiting: number }) => [state, waiting],
        );
      await expect.poll(isShipped, patience).toEqual([
        ['current', 0],
        ['current', 0],
      ]);
      await expect.poll(() => clicksOf(server, open), patience).toBe(answered.open);
      await expect.poll(() => clicksOf(server, limited), patience).toBe(answered.limited);
      const messages = async () =>
        (await server.request('GET', `/api/bio/${bio}/messages`)).body.data.messages.map(
          ({ message }: { message: string }) => message,
        );
      await expect.poll(async () => (await messages()).sort(), patience).toEqual([...entries].sort());
      expect(entries.length).toBeGreaterThanOrEqual(rounds * edges.length);

      let given = 0;
      for (const machine of [...machines, ...machines, ...machines]) {
        const reply = await fetch(`${machine}/last`, { redirect: 'manual', headers: browser });
        await reply.arrayBuffer();
        if (reply.status === 302) given += 1;
        else expect(reply.status).toBe(410);
      }
      expect(given).toBe(5);
      await expect.poll(() => clicksOf(server, last), patience).toBe(5);
      trial.lost = answered.open - (await clicksOf(server, open));
    } finally {
      for (const edge of edges) await edge.close();
      await server.close();
      await cluster.close();
      removeFolders(...edges, server);
    }
  });

  test('starts while any one of them has just been lost', { timeout: 400_000 }, async (context) => {
    context.skip(!inject('isLong'), slowly);
    const trial = trialOf(context, 'fleet', 'turned on while one of three engines was just lost');
    const cluster = await startCluster();
    const server = await startOrigin(cluster);
    // Two that take longer to choose a leader than a save waits for them refuse it with a reason, until they have.
    const turn = async (enabled: boolean) => {
      const body = { enabled, url: cluster.url, ...natsUsers };
      const answer = async () => {
        const { error, data } = (await server.request('PUT', '/api/fleet/update', { body })).body;
        return error === 0 || data?.reason;
      };
      await expect.poll(answer, patience).toBe(true);
    };
    try {
      for (const [at, lost] of cluster.servers.entries()) {
        trial.tried += 1;
        await turn(false);
        const left = cluster.servers[(at + 1) % 3] as (typeof cluster.servers)[number];
        const engine = await connectEngine({ url: left.url, ...natsUsers }, 'waypost-origin');
        for (const stream of streams) await engine.manager.streams.delete(stream);
        await engine.close();
        await lost.kill();
        await turn(true);
        const shown = async () => (await server.request('GET', '/api/fleet')).body.data;
        await expect.poll(shown, patience).toMatchObject({ state: 'connected', problem: null });
        const edge = await startEdge(server, { waits: false });
        try {
          await make(server, '/api/url/add', { url: 'https://example.org/', custom: `on-${at}` });
          await answers(edge, `/on-${at}`);
        } finally {
          await edge.close();
          removeFolders(edge);
        }
        await lost.restart();
        trial.survived += 1;
      }
    } finally {
      await server.close();
      await cluster.close();
    }
  });

  test('started on one engine is on all three within a minute', {
    timeout: 300_000,
  }, async ({ skip }) => {
    skip(!inject('isLong'), slowly);
    const cluster = await startCluster();
    const server = await startOrigin(cluster);
    const edges: TestEdge[] = [];
    let engine: Engine | undefined;
    try {
      edges.push(await startEdge(server));
      const url = 'https://example.org/';
      await make(server, '/api/url/add', { url, custom: 'early' });
      await answers(edges[0] as TestEdge, '/early');
      const asked = await connectEngine({ url: cluster.url, ...natsUsers }, 'waypost-origin');
      engine = asked;
      for (const stream of streams) await asked.manager.streams.update(stream, { num_replicas: 1 });
      server.clock.advance(61_000);
      const copies = async () => {
        const found = [];
        for (const stream of streams) {
          const { cluster: copied } = await asked.manager.streams.info(stream);
          found.push(copied?.replicas?.filter(({ current }) => current).length ?? 0);
        }
        return found;
      };
      await expect.poll(copies, patience).toEqual(streams.map(() => 2));
      const { cluster: led } = await asked.manager.streams.info(fleetSubjects.changes.stream);
      await asked.close();
      await cluster.servers[Number(led?.leader?.replace('waypost-', '')) - 1]?.lose();
      await make(server, '/api/url/add', { url, custom: 'late' });
      await answers(edges[0] as TestEdge, '/late');
      edges.push(await startEdge(server));
      for (const path of ['/early', '/late']) await answers(edges[1] as TestEdge, path);
    } finally {
      await engine?.close();
      for (const edge of edges) await edge.close();
      await server.close();
      await cluster.close();
      removeFolders(...edges);
    }
  });
});
