import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { engineUsers } from '../../server/network/fleet/engine-config.ts';
import { hasNats, natsMissing, natsUsers, startNats } from '../support/nats.ts';
import { type SpawnedServer, setUpAccount, spawnEdge, spawnServer } from '../support/spawned-server.ts';
import { addPaths } from './links.ts';
import { quantile } from './metrics.ts';

/** Goals for a new edge and the latency of a change: compared with few links, and absolute. */
const wanted = { seconds: 60, megabytes: 300, ratio: 2, changeMs: 500 };
const changes = 200;
/**
 * The pause between two changes: all of them together take longer than the interval between two comparisons of records.
 */
const restMs = 350;
const alias = 'measured';

interface Options {
  /** An empty folder for this run. */
  folder: string;
  links: number;
  print: (line: string) => void;
}

interface Measured {
  seconds: number;
  megabytes: number;
  p50: number;
  p99: number;
}

/**
 * How long a new edge of an origin with many links takes until it responds, its peak memory, and the latency of a
 * change, compared with a thousand links. True if each goal is reached.
 */
export async function measureFleetSize({ folder, links, print }: Options): Promise<boolean> {
  if (!hasNats) {
    print(natsMissing);
    return false;
  }
  const few = await measureSize(join(folder, 'few'), 1_000, print);
  const many = await measureSize(join(folder, 'many'), links, print);
  const ratio = many.p50 / few.p50;
  print(
    `NEW EDGE with ${links} links: ${many.seconds.toFixed(1)} s, wanted below ${wanted.seconds}; ${Math.round(many.megabytes)} MB at most, wanted below ${wanted.megabytes}; a change takes ${ratio.toFixed(2)} times as long as with 1,000, wanted at most ${wanted.ratio}`,
  );
  return (
    many.seconds < wanted.seconds &&
    many.megabytes < wanted.megabytes &&
    ratio <= wanted.ratio &&
    many.p99 < wanted.changeMs
  );
}

async function measureSize(folder: string, links: number, print: Options['print']): Promise<Measured> {
  const originFolder = join(folder, 'origin');
  const options = ['--ratelimit', '1000000', '--backup', 'false'];
  const first = await spawnServer(originFolder, options);
  const key = await setUpAccount(first);
  const { id } = await send(first, key, 'POST', '/api/url/add', {
    url: 'https://example.org/0',
    custom: alias,
  });
  await first.stop();
  addPaths(join(originFolder, 'waypost.sqlite'), links);

  await using stack = new AsyncDisposableStack();
  const nats = stack.adopt(await startNats(engineUsers(natsUsers)), (engine) => engine.close());
  const origin = await spawnServer(originFolder, options);
  stack.defer(async () => void (await origin.stop()));
  await send(origin, key, 'PUT', '/api/settings', { baseUrl: 'http://go.test' });
  await send(origin, key, 'PUT', '/api/fleet/update', { enabled: true, url: nats.url, ...natsUsers });
  const { token } = await send(origin, key, 'POST', '/api/fleet/edge/add', { name: 'bench' });
  while ((await send(origin, key, 'GET', '/api/fleet')).data.state !== 'connected') await pause(100);
  const begun = performance.now();
  const edge = await spawnEdge(join(folder, 'edge'), ['--join', token]);
  stack.defer(async () => void (await edge.stop()));
  while ((await fetch(`${edge.origin}/api/health`)).status !== 200) await pause(50);
  const seconds = (performance.now() - begun) / 1000;
  const megabytes = mostMemory(edge.pid);

  const waits: number[] = [];
  for (let change = 1; change <= changes; change += 1) {
    const url = `https://example.org/${change}`;
    const sent = performance.now();
    await send(origin, key, 'PUT', `/api/url/${id}/update`, { url });
    while ((await locationAt(edge)) !== url) await pause(2);
    waits.push(performance.now() - sent);
    await pause(restMs);
  }
  const [p50, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)];
  print(
    `${links} links: a new edge answers after ${seconds.toFixed(1)} s with ${Math.round(megabytes)} MB at most; a change is there after ${p50.toFixed(0)} ms (p99 ${p99.toFixed(0)} ms); after ${changes} changes ${Math.round(mostMemory(edge.pid))} MB at most`,
  );
  return { seconds, megabytes, p50, p99 };
}

/** The most resident memory that a process ever had, in MB; not a number where there is no /proc. */
function mostMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

async function locationAt(edge: SpawnedServer): Promise<string | null> {
  const reply = await fetch(`${edge.origin}/${alias}`, { redirect: 'manual' });
  await reply.arrayBuffer();
  return reply.headers.get('location');
}

async function send(server: SpawnedServer, key: string, method: string, path: string, body?: object) {
  const reply = await fetch(server.origin + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await reply.json();
  if (answer.error !== 0) throw new Error(`${method} ${path}: ${answer.message}`);
  return answer;
}
