import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../build/free-port.ts';
import { engineUsers } from '../../server/network/fleet/engine-config.ts';
import { seededIntegers } from '../support/clock.ts';
import { browser } from '../support/fleet.ts';
import { hasNats, type NatsServer, natsUsers, startNats } from '../support/nats.ts';
import { type SpawnedServer, setUpAccount, spawnEdge, spawnServer } from '../support/spawned-server.ts';
import { times, trialOf } from '../support/trials.ts';

/** How often one of the three is killed, in turns. */
const rounds = times({ short: 3, long: 200 });
const limit = rounds * 3;
const aliases = ['kept-0', 'kept-1', 'kept-2', 'limited'];
const folder = mkdtempSync(join(tmpdir(), 'waypost-fleet-kill-'));
const randomInteger = seededIntegers(19);
const asked = new Map<string, number>();
const answered = new Map<string, number>();
const ids = new Map<string, number>();
let nats: NatsServer;
let origin: SpawnedServer;
let edge: SpawnedServer;
let key = '';
let port = 0;

const startOrigin = () =>
  spawnServer(join(folder, 'origin'), ['--ratelimit', '1000000', '--backup', 'false', '--port', `${port}`]);
const startEdge = (...args: string[]) => spawnEdge(join(folder, 'edge'), args);

async function send(method: string, path: string, body?: object) {
  const reply = await fetch(origin.origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return await reply.json();
}

beforeAll(async () => {
  if (!hasNats) return;
  nats = await startNats(engineUsers(natsUsers));
  port = await freePort();
  origin = await startOrigin();
  key = await setUpAccount(origin);
  await send('PUT', '/api/settings', { baseUrl: origin.origin });
  const on = { enabled: true, url: nats.url, ...natsUsers };
  expect(await send('PUT', '/api/fleet/update', on)).toMatchObject({ error: 0 });
  for (const custom of aliases) {
    const body = { url: 'https://example.org/', custom, ...(custom === 'limited' && { clicklimit: limit }) };
    ids.set(custom, (await send('POST', '/api/url/add', body)).id);
  }
  edge = await startEdge('--join', (await send('POST', '/api/fleet/edge/add', { name: 'Oslo' })).token);
  const isThere = async () => expect(await statusOf(edge, '/kept-2+')).toBe(200);
  await vi.waitFor(isThere, { timeout: 20_000, interval: 500 });
});

afterAll(async () => {
  await edge?.kill();
  await origin?.kill();
  await nats?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function statusOf(server: SpawnedServer, path: string): Promise<number> {
  const reply = await fetch(server.origin + path, { redirect: 'manual', headers: browser });
  await reply.arrayBuffer();
  return reply.status;
}

const countOne = (counts: Map<string, number>, alias: string) =>
  counts.set(alias, (counts.get(alias) ?? 0) + 1);

/** Follows links of one server until it is told to stop or the server is gone. */
async function follow(server: SpawnedServer, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const alias = aliases[randomInteger(aliases.length)] as string;
    countOne(asked, alias);
    try {
      if ((await statusOf(server, `/${alias}`)) === 302) countOne(answered, alias);
    } catch {
      // Killed meanwhile: this one may be counted, and was not answered.
      return;
    }
  }
}

const killers = [
  async () => {
    await nats.kill();
    await nats.restart();
  },
  async () => {
    await edge.kill();
    edge = await startEdge();
  },
  async () => {
    await origin.kill();
    origin = await startOrigin();
  },
];

const clicksOf = async (alias: string): Promise<number> =>
  (await send('GET', `/api/url/${ids.get(alias)}/stats`)).data.clicks;

/** Every click that was answered, as the statistics have it. */
async function missing(): Promise<string[]> {
  const found: string[] = [];
  for (const alias of aliases) {
    if ((await clicksOf(alias)) < (answered.get(alias) ?? 0)) found.push(alias);
  }
  return found;
}

test.skipIf(!hasNats)(
  `kill -9 of engine, edge and origin in turn loses no click and counts none twice, ${rounds} times`,
  {
    timeout: 1_800_000,
  },
  async (context) => {
    const trial = trialOf(context, 'fleet', 'kill -9 of engine, edge and origin in turns');
    for (let round = 0; round < rounds; round += 1) {
      trial.tried += 1;
      let isOver = false;
      const clients = [edge, edge, origin].map((server) => follow(server, () => isOver));
      await new Promise((resolve) => setTimeout(resolve, 20 + randomInteger(281)));
      await killers[round % killers.length]?.();
      isOver = true;
      await Promise.all(clients);
      trial.survived += 1;
    }
    // Everything comes back by itself, and brings what it has.
    await expect.poll(missing, { timeout: 120_000, interval: 1_000 }).toEqual([]);
    const metrics = async () => await (await fetch(`${edge.origin}/metrics`)).text();
    await expect.poll(metrics, { timeout: 60_000, interval: 1_000 }).toContain('waiting_clicks 0\n');
    for (const alias of aliases) {
      const clicks = await clicksOf(alias);
      expect(clicks, alias).toBeGreaterThanOrEqual(answered.get(alias) ?? 0);
      expect(clicks, alias).toBeLessThanOrEqual(asked.get(alias) ?? 0);
    }
    expect(answered.get('limited') ?? 0).toBeLessThanOrEqual(limit);
    expect(await clicksOf('limited')).toBeLessThanOrEqual(limit);
    expect(answered.get('kept-0')).toBeGreaterThan(rounds);
  },
);
