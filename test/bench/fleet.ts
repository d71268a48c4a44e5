import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { engineUsers } from '../../server/network/fleet/engine-config.ts';
import { hasNats, natsMissing, natsUsers, startNats } from '../support/nats.ts';
import { type SpawnedServer, setUpAccount, spawnEdge, spawnServer } from '../support/spawned-server.ts';
import { alternately, type Round, untilIdle } from './alternately.ts';
import { addPaths } from './links.ts';
import { describeSpread, spreadOf } from './metrics.ts';
import { type MeasuredServer, startOurs } from './servers.ts';
import { processorTime, type Run, runWrk } from './wrk.ts';

const linkCount = 10_000;
/** The number of links created to measure the rate. */
const writes = 300;
/** The minimum ratio to the baseline. */
const wanted = 0.9;
const options = ['--ratelimit', '1000000', '--backup', 'false'];

interface Options {
  /** An empty folder for this run. */
  folder: string;
  rounds: number;
  seconds: number;
  print: (line: string) => void;
}

/**
 * Compares redirects of an edge whose origin sleeps with those of its origin, with shipping on; then redirects and new
 * links of an origin whose engine is unreachable with those of the same server without a fleet. True if the median of
 * each ratio is at least 0.9.
 */
export async function measureFleet({ folder, rounds, seconds, print }: Options): Promise<boolean> {
  if (!hasNats) {
    print(natsMissing);
    return false;
  }
  const [aloneFolder, originFolder] = [join(folder, 'alone'), join(folder, 'origin')];
  const first = await spawnServer(aloneFolder, options);
  const key = await setUpAccount(first);
  await first.stop();
  const paths = addPaths(join(aloneFolder, 'waypost.sqlite'), linkCount);
  cpSync(aloneFolder, originFolder, { recursive: true });

  await using stack = new AsyncDisposableStack();
  const nats = stack.adopt(await startNats(engineUsers(natsUsers)), (engine) => engine.close());
  const start = async (of: string) => stack.adopt(await startOurs(of, options), (server) => server.stop());
  const origin = await start(originFolder);
  await send(origin, key, 'PUT', '/api/settings', { baseUrl: 'http://go.test' });
  await send(origin, key, 'PUT', '/api/fleet/update', { enabled: true, url: nats.url, ...natsUsers });
  const { token } = await send(origin, key, 'POST', '/api/fleet/edge/add', { name: 'bench' });
  while ((await send(origin, key, 'GET', '/api/fleet')).data.state !== 'connected') await pause(100);
  const spawned = await spawnEdge(join(folder, 'edge'), ['--join', token]);
  stack.defer(async () => void (await spawned.stop()));
  const edge = {
    ...spawned,
    settle: () => untilShipped(spawned),
    stop: async () => void (await spawned.stop()),
  };
  while ((await statusOf(edge, '/api/health')) !== 200) await pause(200);

  /** In reality the origin has its own CPU; here it would compete with the edge for receiving its clicks. */
  const burst = async (server: MeasuredServer) => {
    if (server === edge) process.kill(origin.pid, 'SIGSTOP');
    try {
      return await runWrk(server.port, server.pid, paths.file, seconds);
    } finally {
      if (server === edge) process.kill(origin.pid, 'SIGCONT');
    }
  };
  const compare = async (name: string, base: MeasuredServer, ours: MeasuredServer) =>
    ratioOf(
      name,
      await alternately<MeasuredServer, Run>({ base, ours, rounds, warmUp: burst, measure: burst }),
      print,
    );
  const ofEdge = await compare('EDGE, beside its origin', origin, edge);

  await spawned.stop();
  await nats.kill();
  const alone = await start(aloneFolder);
  const ofOrigin = await compare('ORIGIN WITHOUT ITS ENGINE, beside a server without a fleet', alone, origin);
  const created = await alternately<MeasuredServer, number>({
    ...{ base: alone, ours: origin, rounds },
    warmUp: (server) => createLinks(server, key),
    measure: (server) => createLinks(server, key),
  });
  const speeds = created.map(({ base, ours }) => base / ours);
  print(`the same, new links: ${describeSpread(speeds)} as fast, wanted ${wanted}`);
  return ofEdge && ofOrigin && spreadOf(speeds).median >= wanted;
}

function ratioOf(name: string, rounds: readonly Round<Run>[], print: Options['print']): boolean {
  const ratios = rounds.map(({ base, ours }) => ours.rate / base.rate);
  const costs = rounds.map(({ base, ours }) => (base.cost ?? Number.NaN) / (ours.cost ?? Number.NaN));
  const errors = rounds.reduce((sum, { base, ours }) => sum + base.errors + ours.errors, 0);
  print(
    `${name}: ${describeSpread(ratios)} as fast (by processor time ${describeSpread(costs)}), wanted ${wanted}, errors ${errors}`,
  );
  return spreadOf(ratios).median >= wanted && errors === 0;
}

/** Waits until the engine has every click of an edge, and the edge is idle. */
async function untilShipped(edge: SpawnedServer): Promise<void> {
  const metrics = async () => await (await fetch(`${edge.origin}/metrics`)).text();
  while (!(await metrics()).includes('waypost_edge_waiting_clicks 0\n')) await pause(200);
  await untilIdle({ uncounted: () => 0, processorTime: () => processorTime(edge.pid) ?? 0 });
}

/** Milliseconds for a number of new links, one after the other. */
async function createLinks(server: MeasuredServer, key: string): Promise<number> {
  const begun = performance.now();
  for (let count = 0; count < writes; count += 1)
    await send(server, key, 'POST', '/api/url/add', { url: 'https://example.com/home' });
  return performance.now() - begun;
}

async function statusOf({ port }: { port: number }, path: string): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`);
  await reply.arrayBuffer();
  return reply.status;
}

async function send({ port }: { port: number }, key: string, method: string, path: string, body?: object) {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await reply.json();
  if (answer.error !== 0) throw new Error(`${method} ${path}: ${answer.message}`);
  return answer;
}
