import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openReader } from '../../server/platform/database/connect.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { emptyAccountKey, fill, stayingLinks } from './long-work-data.ts';
import { steadyVisitors } from './steady-visitors.ts';
import { type Metrics, ms, spawnWatched, threadMetrics } from './watched-server.ts';

/** Redirects a second beside each operation. */
const rate = 300;
/** The maximum delay of a redirect by an operation (p99.9, milliseconds of the server's thread). */
const wanted = 10;
const longestMs = 300_000;

interface Options {
  /** A data folder of an instance without an account. */
  folder: string;
  print: (line: string) => void;
  /** Only operations whose name contains this text. */
  only?: string | undefined;
}

/** Reads from the API of the measured server. */
type Ask = (path: string) => Promise<unknown>;

interface Operation {
  name: string;
  method: string;
  path: string;
  body?: object;
  key?: string;
  /** A query that returns 0, or an API check that returns false, once no background work is left. */
  left?: string | ((ask: Ask) => Promise<boolean>);
}

/**
 * `npm run bench -- --long-work`: every operation that writes or reads much, at full size, with redirects in parallel.
 * Prints the duration, how long visitors waited, and how long the server's thread was blocked: its CPU time between two
 * event-loop turns, which other programs do not affect. True if p99.9 of that is at most 10 ms for each operation.
 */
export async function measureLongWork({ folder, print, only }: Options): Promise<boolean> {
  const file = join(folder, 'waypost.sqlite');
  const first = await spawnServer(folder);
  const key = await setUpAccount(first);
  await first.stop();
  const startedAt = performance.now();
  const { clickedLink } = fill(file, Date.now());
  print(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const server = await spawnWatched(folder);
  try {
    let holds = false;
    for (const operation of operations(clickedLink)) {
      if (only !== undefined && !operation.name.includes(only)) continue;
      const held = await measure(operation, { server, key, file, folder, print });
      holds ||= held.p999 > wanted;
    }
    return !holds;
  } finally {
    await server.stop();
  }
}

function operations(clickedLink: number): Operation[] {
  const bulk = (name: string, action: string, filter: object, more: object = {}): Operation => ({
    name,
    method: 'POST',
    path: '/api/urls/bulk',
    body: { filter, action, ...more },
  });
  const remove = (name: string, path: string, left: string): Operation => ({
    name,
    method: 'DELETE',
    path,
    left,
  });
  return [
    { name: 'nothing', method: 'GET', path: '/api/health' },
    { name: 'clicks of an empty account', method: 'GET', path: '/api/clicks?limit=50', key: emptyAccountKey },
    { name: 'clicks of an account', method: 'GET', path: '/api/clicks?limit=50' },
    { name: 'links exported as CSV', method: 'GET', path: '/api/urls/export' },
    { name: 'links exported as JSON', method: 'GET', path: '/api/urls/export?format=json' },
    bulk('bulk dry run', 'delete', { campaign: 1 }, { dryrun: true }),
    bulk('bulk archive', 'archive', { campaign: 1 }),
    { name: 'undo of it', method: 'POST', path: '/api/undo/LAST', body: {} },
    bulk('bulk move to a domain', 'domain', { campaign: 1 }, { value: 'go.example.com' }),
    bulk('bulk delete', 'delete', { campaign: 1 }),
    bulk('bulk restore', 'restore', { campaign: 1 }),
    remove(
      'domain with conflicts',
      '/api/domain/1/delete',
      'SELECT (SELECT count(*) FROM domains) + (SELECT count(*) FROM aliases WHERE domain_id = 1)',
    ),
    remove('overlay with answers', '/api/overlay/1/delete', 'SELECT count(*) FROM overlay_answers'),
    { name: 'overlay restored', method: 'POST', path: '/api/overlay/1/restore', body: {} },
    remove('bio page with messages', '/api/bio/1/delete', 'SELECT count(*) FROM bio_messages'),
    { name: 'bio page restored', method: 'POST', path: '/api/bio/1/restore', body: {} },
    remove(
      'campaign with links',
      '/api/campaign/2/delete',
      'SELECT count(*) FROM links WHERE campaign_id = 2',
    ),
    { name: 'campaign restored', method: 'POST', path: '/api/campaign/2/restore', body: {} },
    remove(
      'channel with links',
      '/api/channel/1/delete',
      'SELECT count(*) FROM link_channels WHERE channel_id = 1',
    ),
    { name: 'channel restored', method: 'POST', path: '/api/channel/1/restore', body: {} },
    remove('pixel on links', '/api/pixel/1/delete', "SELECT count(*) FROM links WHERE pixels = '[1]'"),
    { name: 'pixel restored', method: 'POST', path: '/api/pixel/1/restore', body: {} },
    remove(
      'purge of a link with clicks',
      `/api/url/${clickedLink}/delete?force=1`,
      `SELECT count(*) FROM link_clicks WHERE link_id = ${clickedLink}`,
    ),
    bulk('bulk purge', 'purge', { campaign: 1 }),
    remove('account with links', '/api/user/2/delete', 'SELECT count(*) FROM users WHERE id = 2'),
    {
      name: 'import of 200 rows',
      method: 'POST',
      path: '/api/urls/import',
      body: {
        rows: Array.from({ length: 200 }, (_, row) => ({
          url: `https://example.com/new/${row}`,
          alias: `new${row}`,
        })),
        conflict: 'skip',
      },
    },
    { name: 'backup', method: 'POST', path: '/api/backup/add', body: {}, left: isBackingUp },
  ];
}

async function isBackingUp(ask: Ask): Promise<boolean> {
  const { data } = (await ask('/api/backups')) as {
    data: { running: unknown; failure: unknown; backups: { state: string }[] };
  };
  if (data.running === null && (data.failure !== null || data.backups[0]?.state !== 'restorable'))
    throw new Error(`the backup failed: ${JSON.stringify(data.failure)}`);
  return data.running !== null;
}

interface Place {
  server: SpawnedServer;
  key: string;
  file: string;
  folder: string;
  print: (line: string) => void;
}

/** The undo id of the last bulk action. */
let lastUndo = 0;

async function measure(operation: Operation, place: Place): Promise<Metrics> {
  const { server, folder, print } = place;
  const paths = Array.from({ length: stayingLinks }, (_, index) => `/stay${index}`);
  await threadMetrics(server, folder);
  const visitors = steadyVisitors(server.port, paths, rate);
  await pause(300);
  const work = carryOut(operation, place);
  // Errors are reported after the visitors have stopped; otherwise a visitor who meets a stopped server would be
  // reported instead.
  await work.catch(() => {});
  await pause(300);
  const waits = await visitors.stop();
  const { status, length, answered, took } = await work;
  const { busy } = await threadMetrics(server, folder);
  const figures = [
    operation.name.padEnd(28),
    String(status).padStart(4),
    `answered ${ms(answered)}, over ${ms(took)}`,
    `thread held ${ms(busy.worst)}, p99.9 ${ms(busy.p999)}`,
    `visitors waited ${ms(waits.worst)}, p99.9 ${ms(waits.p999)}, p50 ${ms(waits.p50)}`,
    `${length} bytes`,
  ];
  print(figures.join(' | '));
  return busy;
}

interface Outcome {
  status: number;
  /** Size of the reply in characters. */
  length: number;
  /** Milliseconds until the reply, and until no work was left. */
  answered: number;
  took: number;
}

async function carryOut(
  { method, path, body, left, ...operation }: Operation,
  place: Place,
): Promise<Outcome> {
  const { server, file } = place;
  const key = operation.key ?? place.key;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const startedAt = performance.now();
  const reply = await fetch(server.origin + path.replace('LAST', String(lastUndo)), {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  const answered = performance.now() - startedAt;
  lastUndo = Number(/"undo":(\d+)/.exec(text)?.[1] ?? lastUndo);
  const ask: Ask = async (asked) => (await fetch(server.origin + asked, { headers })).json();
  if (typeof left === 'string') await settled(file, left);
  else if (left) await untilFalse(operation.name, () => left(ask));
  return { status: reply.status, length: text.length, answered, took: performance.now() - startedAt };
}

async function settled(file: string, left: string): Promise<void> {
  const reader = openReader(file);
  try {
    const statement = reader.prepare<[], number>(left).pluck();
    await untilFalse(left, async () => (statement.get() ?? 0) > 0);
  } finally {
    reader.close();
  }
}

async function untilFalse(what: string, isLeft: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (await isLeft()) {
    if (performance.now() - startedAt > longestMs) throw new Error(`not over after ${longestMs} ms: ${what}`);
    await pause(50);
  }
}
