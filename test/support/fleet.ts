import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { createApp } from '../../server/app.ts';
import { createEdge } from '../../server/network/fleet/edge.ts';
import { engineUsers } from '../../server/network/fleet/engine-config.ts';
import { joinFleet } from '../../server/network/fleet/join.ts';
import { connections } from '../../server/platform/http/connections.ts';
import { type Listening, listen } from '../../server/platform/http/listen.ts';
import type { PartialSettings } from '../../server/platform/settings/merge.ts';
import { type StartOptions, startApp, type TestApp } from './app.ts';
import { runningClock } from './clock.ts';
import { type NatsServer, natsUsers, startNats } from './nats.ts';

/**
 * The public address of origins in tests; edges are requested under 127.0.0.1, which every instance accepts as its own.
 */
export const fleetUrl = 'http://go.test';

/** On a busy machine, three engines need time to elect a leader. */
const patience = { timeout: 50_000, interval: 200 };
/** Not that of a program: those are no visitors. */
export const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

export interface TestEdge {
  origin: string;
  port: number;
  httpsPort: number;
  folder: string;
  id: number;
  /** Lines of the edge's log. */
  lines: string[];
  /** Requests a path without following redirects. */
  visit(
    path: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; location: string | null; text: string }>;
  close(): Promise<void>;
}

/** Starts an app with a fleet. Several apps need one engine each. */
export async function startOrigin(
  nats: Pick<NatsServer, 'url'> & { signIn?: object },
  options: StartOptions = {},
): Promise<TestApp> {
  const server = await startApp({ baseUrl: fleetUrl, clock: runningClock(), ...options });
  server.app.startJobs();
  const { data } = (await server.request('GET', '/api/fleet')).body;
  if (!data.enabled) {
    const body = { enabled: true, url: nats.url, ...(nats.signIn ?? natsUsers) };
    const reply = await server.request('PUT', '/api/fleet/update', { body });
    expect(reply.body).toMatchObject({ error: 0 });
  }
  await stateIs(server, 'connected');
  return server;
}

/** Waits until a server's fleet is in a state. */
export async function stateIs(server: TestApp, state: string): Promise<void> {
  const shown = async () => (await server.request('GET', '/api/fleet')).body.data;
  await vi.waitFor(async () => expect(await shown()).toMatchObject({ state }), patience);
}

/** A join token of a new edge. */
export async function newToken(server: TestApp, name = 'Oslo'): Promise<{ id: number; token: string }> {
  const { body } = await server.request('POST', '/api/fleet/edge/add', { body: { name } });
  return body;
}

/** Joins and starts an edge, or restarts one on its folder; by default it is serving when this returns. */
export async function startEdge(
  server: TestApp,
  {
    folder,
    token: given,
    waits = true,
    now = server.clock.now,
    addresses = ['127.0.0.1'],
    freeBytes,
    settings = {},
  }: {
    folder?: string;
    token?: string | undefined;
    waits?: boolean;
    now?: () => number;
    addresses?: string[];
    freeBytes?: () => Promise<number>;
    /** Settings given at the start. */
    settings?: PartialSettings;
  } = {},
): Promise<TestEdge> {
  const place = folder ?? mkdtempSync(join(tmpdir(), 'waypost-edge-'));
  const token = given ?? (folder === undefined ? (await newToken(server)).token : undefined);
  const membership = await joinFleet({
    folder: place,
    token,
    version: '0.0.0-test',
    now: server.clock.now(),
  });
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  let listening: Listening | undefined;
  let secure: Listening | undefined;
  const edge = await createEdge({
    createApp,
    folder: place,
    membership,
    version: '0.0.0-test',
    settings,
    timezone: 'UTC',
    port: () => listening?.port ?? 0,
    httpsPort: () => secure?.port,
    addresses: () => addresses,
    freeBytes,
    now,
    log,
  });
  const shared = {
    ...server.bounds,
    hosts: ['127.0.0.1'],
    port: 0,
    handler: edge.handle,
    connections: connections({
      trustedProxies: () => settings.trustedProxies ?? [],
      onArrival: edge.noteArrival,
    }),
  };
  const opened = await listen(shared);
  const openedSecurely = await listen({ ...shared, certificateFor: edge.certificateFor });
  listening = opened;
  secure = openedSecurely;
  const origin = `http://127.0.0.1:${opened.port}`;
  const visit: TestEdge['visit'] = async (path, headers = {}) => {
    const reply = await fetch(origin + path, { redirect: 'manual', headers: { ...browser, ...headers } });
    return { status: reply.status, location: reply.headers.get('location'), text: await reply.text() };
  };
  if (waits) await vi.waitFor(async () => expect((await visit('/api/health')).status).toBe(200), patience);
  return {
    origin,
    port: opened.port,
    httpsPort: openedSecurely.port,
    folder: place,
    id: membership.id,
    lines,
    visit,
    async close() {
      await Promise.all([opened.stop(0), openedSecurely.stop(0)]);
      await edge.close();
    },
  };
}

/** A fleet with one edge. A test may replace the server, edge or engine after closing it. */
export interface FleetBench {
  nats: NatsServer;
  server: TestApp;
  edge: TestEdge;
}

/** An engine, an origin in its own folder and an edge, for all tests of a `describe`. */
export function fleetBench(): FleetBench {
  const bench = {} as FleetBench;
  beforeAll(async () => {
    bench.nats = await startNats(engineUsers(natsUsers));
    bench.server = await startOrigin(bench.nats, { folder: mkdtempSync(join(tmpdir(), 'waypost-origin-')) });
    bench.edge = await startEdge(bench.server);
  });
  afterAll(async () => {
    await bench.edge.close();
    await bench.server.close();
    await bench.nats.close();
    removeFolders(bench.edge, bench.server);
  });
  return bench;
}

export function removeFolders(...things: { folder: string }[]): void {
  for (const { folder } of things) rmSync(folder, { recursive: true, force: true });
}
