import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReader } from '../../server/platform/database/connect.ts';
import { seededIntegers } from '../support/clock.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';

/** How often the server is killed (F-01). */
const cycles = 25;
const followers = 6;
const writers = 2;
const linksToFollow = 20;

const folder = mkdtempSync(join(tmpdir(), 'waypost-kill-'));
const randomInteger = seededIntegers(9);
let key = '';

/** What a client saw: everything here was answered before the server died. */
interface Journal {
  /** Alias → answered redirects, and redirects that were asked for. */
  answered: Map<string, number>;
  asked: Map<string, number>;
  /** Aliases of links that the server said it has made. */
  made: string[];
}
const journal: Journal = { answered: new Map(), asked: new Map(), made: [] };

beforeAll(async () => {
  const server = await start();
  key = await setUpAccount(server);
  for (let index = 0; index < linksToFollow; index += 1) {
    const agent = new Agent();
    expect(await addLink(server, agent, `follow-${index}`)).toBe(true);
  }
  await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(): Promise<SpawnedServer> {
  return spawnServer(folder, ['--ratelimit', '1000000']);
}

/** One request; the status, or undefined when no whole answer came. */
function send(server: SpawnedServer, agent: Agent, path: string, body?: object): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: server.port,
        path,
        agent,
        method: body ? 'POST' : 'GET',
        headers: {
          'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
          ...(body && { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }),
        },
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
        response.on('close', () => resolve(undefined));
      },
    );
    sent.on('error', () => resolve(undefined));
    sent.end(body && JSON.stringify(body));
  });
}

async function addLink(server: SpawnedServer, agent: Agent, alias: string): Promise<boolean> {
  const body = { url: `https://example.com/${alias}`, custom: alias };
  return (await send(server, agent, '/api/url/add', body)) === 200;
}

async function follow(server: SpawnedServer, isOver: () => boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!isOver()) {
    const alias = `follow-${randomInteger(linksToFollow)}`;
    count(journal.asked, alias);
    const status = await send(server, agent, `/${alias}`);
    if (status === undefined) break;
    expect(status).toBe(302);
    count(journal.answered, alias);
  }
  agent.destroy();
}

async function write(
  server: SpawnedServer,
  cycle: number,
  client: number,
  isOver: () => boolean,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let index = 0; !isOver(); index += 1) {
    const alias = `made-${cycle}-${client}-${index}`;
    if (!(await addLink(server, agent, alias))) break;
    journal.made.push(alias);
  }
  agent.destroy();
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** What the database has, read while the restarted server runs. */
function readState() {
  const connection = openReader(join(folder, 'waypost.sqlite'));
  try {
    const clicks = connection
      .prepare<[], { alias: string; clicks: number }>(
        'SELECT links.alias, count(*) AS clicks FROM clicks JOIN links ON links.id = clicks.link_id GROUP BY links.id',
      )
      .all();
    const aliases = connection
      .prepare<[], string>("SELECT alias FROM aliases WHERE kind = 'link'")
      .pluck()
      .all();
    const links = connection.prepare<[], string>('SELECT alias FROM links').pluck().all();
    return {
      clicks: new Map(clicks.map((row) => [row.alias, row.clicks])),
      aliases: new Set(aliases),
      links: new Set(links),
    };
  } finally {
    connection.close();
  }
}

function expectNothingLost(): void {
  const { clicks, aliases, links } = readState();
  for (const [alias, answered] of journal.answered) {
    const logged = clicks.get(alias) ?? 0;
    expect(logged, `clicks of ${alias}`).toBeGreaterThanOrEqual(answered);
    // Not one more than were asked for: nothing is there twice.
    expect(logged, `clicks of ${alias}`).toBeLessThanOrEqual(journal.asked.get(alias) ?? 0);
  }
  expect(journal.made.filter((alias) => !links.has(alias) || !aliases.has(alias))).toEqual([]);
  expect([...links].filter((alias) => !aliases.has(alias))).toEqual([]);
}

test(`kill -9 under load loses no answered click and no answered write, ${cycles} times (F-01)`, async () => {
  const startTimes: number[] = [];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const server = await start();
    startTimes.push(server.startMs);
    expectNothingLost();
    let over = false;
    const isOver = () => over;
    const clients = [
      ...Array.from({ length: followers }, () => follow(server, isOver)),
      ...Array.from({ length: writers }, (_, client) => write(server, cycle, client, isOver)),
    ];
    await new Promise((resolve) => setTimeout(resolve, 20 + randomInteger(481)));
    await server.kill();
    over = true;
    await Promise.all(clients);
  }

  const server = await start();
  expectNothingLost();
  await expect.poll(uncounted, { timeout: 60_000 }).toBe(0);
  await server.stop();
  const connection = openReader(join(folder, 'waypost.sqlite'));
  try {
    const sums = connection
      .prepare<[], Record<string, number>>(
        `SELECT (SELECT count(*) FROM clicks) AS logged,
                (SELECT sum(clicks + bots) FROM rollups WHERE scope = 0 AND dimension = 0) AS ofLinks,
                (SELECT sum(clicks + bots) FROM rollups WHERE scope = 1 AND dimension = 0) AS ofUsers,
                (SELECT sum(clicks) FROM links) AS onLinks,
                (SELECT count(*) FROM link_clicks) AS listed`,
      )
      .get();
    const logged = sums?.logged ?? 0;
    expect(sums).toEqual({ logged, ofLinks: logged, ofUsers: logged, onLinks: logged, listed: logged });
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(connection.pragma('foreign_key_check')).toEqual([]);
    const answered = [...journal.answered.values()].reduce((sum, clicks) => sum + clicks, 0);
    process.stdout.write(
      `kill -9: ${answered} answered clicks and ${journal.made.length} answered writes in ${cycles} cycles, ` +
        `${logged} clicks in the log, slowest start ${Math.round(Math.max(...startTimes))} ms\n`,
    );
    expect(answered).toBeGreaterThan(cycles * 2);
    expect(journal.made.length).toBeGreaterThan(cycles);
  } finally {
    connection.close();
  }
}, 600_000);

function uncounted(): number {
  const connection = openReader(join(folder, 'waypost.sqlite'));
  try {
    return (
      connection
        .prepare<[], number>('SELECT (SELECT max(id) FROM clicks) - position FROM rollup_position')
        .pluck()
        .get() ?? 0
    );
  } finally {
    connection.close();
  }
}
