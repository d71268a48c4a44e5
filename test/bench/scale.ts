import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { commonWord, fillAtScale, followedLinks, rareWord } from './scale-data.ts';
import { steadyVisitors } from './steady-visitors.ts';
import { ms, spawnWatched, threadMetrics } from './watched-server.ts';
import { residentMemory } from './wrk.ts';

/** Redirects a second beside each operation. */
const rate = 300;
/** The number of requests for each operation. */
const times = 20;
const held = 10;
const mostMegabytes = 300;

interface Operation {
  name: string;
  /** The limit for the 95th percentile in milliseconds. */
  wanted: number;
  ask: (place: { links: number; turn: number }) => { path: string; method?: string; body?: object };
}

interface Options {
  folder: string;
  sizes: readonly number[];
  print: (line: string) => void;
}

const page = (name: string, wanted: number, path: (links: number) => string): Operation => ({
  name,
  wanted,
  ask: ({ links }) => ({ path: path(links) }),
});
/** Links of the account that are not in the trash, in pages of 100. */
const pages = (links: number) => Math.ceil((links * 0.99) / 100);

const operations: Operation[] = [
  page('links, first page', 20, () => '/api/urls?limit=15'),
  page('links, middle page', 50, (links) => `/api/urls?limit=100&page=${Math.round(pages(links) / 2)}`),
  page('links, last page', 50, (links) => `/api/urls?limit=100&page=${pages(links)}`),
  page('links, common word', 50, () => `/api/urls?limit=15&q=${commonWord}`),
  page('links, rare word', 50, () => `/api/urls?limit=15&q=${rareWord}`),
  page('links, by name', 50, () => '/api/urls?limit=15&order=name'),
  page('links, by clicks', 50, () => '/api/urls?limit=15&order=clicks'),
  page('links of a campaign', 50, () => '/api/urls?limit=15&campaign=1'),
  page('links of a channel', 50, () => '/api/urls?limit=15&channel=1'),
  page('links that are active', 50, () => '/api/urls?limit=15&status=active'),
  page('trash', 50, () => '/api/urls?limit=15&status=trash'),
  page('campaigns', 50, () => '/api/campaigns?limit=15'),
  page('campaign', 50, () => '/api/campaign/1?limit=15'),
  page('channels', 50, () => '/api/channels?limit=15'),
  page('channel', 50, () => '/api/channel/1?limit=15'),
  page('overview, 30 days', 50, () => '/api/stats?period=30d'),
  page('most visited groups', 2_000, () => '/api/stats/top?period=30d'),
  page('statistics, two filters', 100, () => '/api/stats?period=12m&country=country%200&browser=browser%201'),
  page('clicks', 50, () => '/api/clicks?limit=50'),
  {
    name: 'add a link',
    wanted: 5,
    ask: ({ turn }) => ({
      path: '/api/url/add',
      method: 'POST',
      body: { url: `https://example.com/new/${turn}` },
    }),
  },
];

interface Measured {
  median: number;
  p95: number;
  held: number;
  visitor: number;
}

/**
 * `npm run bench -- --scale`: lists, searches and statistics of an account with 10,000, 100,000 and 1,000,000 links and
 * ten times as many clicks, with redirects in parallel. Prints the duration at each size and the longest wait of a
 * redirect. True if every goal is met at the largest size, and nothing blocked the server's thread for more than 10 ms.
 */
export async function measureScale({ folder, sizes, print }: Options): Promise<boolean> {
  const table = new Map<string, Measured[]>();
  let isGood = true;
  for (const links of sizes) {
    const own = join(folder, `scale-${links}`);
    mkdirSync(own);
    const found = await measureSize({ folder: own, links, print });
    rmSync(own, { recursive: true, force: true });
    for (const [name, figures] of found.table) table.set(name, [...(table.get(name) ?? []), figures]);
    isGood = found.isGood;
  }
  print(
    `\n${'p95 (growth per tenfold)'.padEnd(28)}${sizes.map((size) => String(size).padStart(20)).join('')}`,
  );
  for (const [name, row] of table) {
    const cells = row.map(({ p95 }, index) => {
      const before = row[index - 1];
      return `${ms(p95)}${before ? ` (x${(p95 / before.p95).toFixed(1)})` : ''}`.padStart(20);
    });
    print(name.padEnd(28) + cells.join(''));
  }
  return isGood;
}

interface Place {
  folder: string;
  links: number;
  print: (line: string) => void;
}

async function measureSize({ folder, links, print }: Place) {
  const file = join(folder, 'waypost.sqlite');
  const first = await spawnServer(folder);
  const key = await setUpAccount(first);
  await first.stop();
  const startedAt = performance.now();
  fillAtScale(file, links, Date.now());
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  print(`\n${links} links, ${links * 10} clicks: made in ${seconds} s, ${megabytes(file)} MB`);
  const unclean = await spawnServer(folder);
  print(`first start: ${ms(unclean.startMs)}`);
  await unclean.kill();
  const server = await spawnWatched(folder);
  let isGood = server.startMs < 1500;
  print(`start after an unclean end: ${ms(server.startMs)}, wanted below 1500`);
  const table = new Map<string, Measured>();
  try {
    for (const operation of operations) {
      const found = await measure(operation, { server, folder, key, links });
      table.set(operation.name, found);
      const isMet = found.p95 < operation.wanted && found.held < held;
      isGood &&= isMet;
      print(
        [
          operation.name.padEnd(24),
          `p50 ${ms(found.median)}, p95 ${ms(found.p95)}, wanted ${operation.wanted}`.padEnd(44),
          `thread held ${ms(found.held)}`.padEnd(24),
          `worst redirect ${ms(found.visitor)}`.padEnd(26),
          isMet ? '' : 'MISSED',
        ].join(' | '),
      );
    }
    const memory = residentMemory(server.pid);
    if (memory !== undefined) {
      print(`memory: ${Math.round(memory)} MB, wanted below ${mostMegabytes}`);
      isGood &&= memory < mostMegabytes;
    }
  } finally {
    await server.stop();
  }
  return { table, isGood };
}

async function measure(
  { ask }: Operation,
  { server, folder, key, links }: { server: SpawnedServer; folder: string; key: string; links: number },
): Promise<Measured> {
  const paths = Array.from({ length: followedLinks }, (_, index) => `/scale${index + 1}`);
  await threadMetrics(server, folder);
  const visitors = steadyVisitors(server.port, paths, rate);
  const took: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const { path, method = 'GET', body } = ask({ links, turn });
    const startedAt = performance.now();
    const reply = await fetch(server.origin + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    took.push(performance.now() - startedAt);
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${text}`);
    await pause(20);
  }
  const waits = await visitors.stop();
  const { busy } = await threadMetrics(server, folder);
  took.sort((one, other) => one - other);
  const at = (share: number) => took[Math.ceil(took.length * share) - 1] ?? Number.NaN;
  return { median: at(0.5), p95: at(0.95), held: busy.p999, visitor: waits.worst };
}

function megabytes(file: string): number {
  return Math.round(statSync(file).size / 1024 / 1024);
}
