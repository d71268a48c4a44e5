import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureBuilt } from '../../build/freshness.ts';
import { draws, zipf } from '../../server/operations/seed/random.ts';
import { seed } from '../../server/operations/seed/seed.ts';
import { connect, openReader } from '../../server/platform/database/connect.ts';
import { findProgram } from '../support/provision.ts';
import { setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { measureDnsDown } from './dns-down.ts';
import { measureLinksPage } from './links-page.ts';
import { measureLongWork } from './long-work.ts';
import { measureTenRules } from './ten-rules.ts';
import { type Run, residentMemory, runWrk } from './wrk.ts';

/**
 * `npm run bench`: redirects of the built server with 100,000 links and recorded clicks, beside a bare `node:http` server
 * that answers 302. Both are measured in turn in one run, since machines change their mind from minute to minute. After it
 * the page of links, long beside short. With `--long-work` none of this, but how long operations at size hold redirects up.
 */
const linkCount = 100_000;
const requestCount = 40_000;
const rounds = 4;
const secondsEach = 4;
const longestCatchUpMs = 60_000;
const wanted = 0.6;

if (!findProgram('wrk')) {
  process.stdout.write(
    'bench: wrk is not installed (Debian: apt-get install wrk), so nothing was measured.\n',
  );
  process.exit(1);
}
const built = await ensureBuilt();
if (built !== 0) process.exit(built);
const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
try {
  process.exitCode = process.argv.includes('--long-work') ? await measureWork() : await measureAll();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureAll(): Promise<number> {
  const code = await measure();
  const isSteady = await measureSteadiness();
  const isQuick = await measureRules();
  const isUsable = await measurePage();
  return code === 0 && !(isSteady && isQuick && isUsable) ? 1 : code;
}

/** How long redirects are held up by each piece of long work; `--only <text>` picks some. */
async function measureWork(): Promise<number> {
  const own = join(folder, 'long-work');
  mkdirSync(own);
  const only = process.argv.indexOf('--only');
  const name = only < 0 ? undefined : process.argv[only + 1];
  return (await measureLongWork({ folder: own, only: name, print })) ? 0 : 1;
}

async function measure(): Promise<number> {
  const file = join(folder, 'waypost.sqlite');
  const first = await spawnServer(folder);
  await setUpAccount(first);
  await first.stop();
  const paths = addPaths(file);
  const sizeBefore = statSync(file).size;

  const bare = await spawnBare();
  const ours = await spawnServer(folder);
  try {
    print(`start with ${linkCount} links: ${Math.round(ours.startMs)} ms, ${memory(ours.pid)}`);
    // Once each unmeasured, so that both are compiled and warm.
    await runWrk(bare.port, bare.pid, paths, 2);
    const warm = await runWrk(ours.port, ours.pid, paths, 2);
    const pairs: [bare: Run, ours: Run][] = [];
    const startedAt = performance.now();
    for (let round = 1; round <= rounds; round += 1) {
      const bareRun = await runWrk(bare.port, bare.pid, paths, secondsEach);
      const ourRun = await runWrk(ours.port, ours.pid, paths, secondsEach);
      pairs.push([bareRun, ourRun]);
      print(`round ${round}  bare ${describe(bareRun)}`);
      print(`         ours ${describe(ourRun)}  ratio ${(ourRun.rate / bareRun.rate).toFixed(2)}`);
    }
    print(`under load: ${memory(ours.pid)}`);
    const answered = warm.requests + pairs.reduce((sum, [, run]) => sum + run.requests, 0);
    const caughtUp = await waitForCatchUp(file, startedAt, warm.requests);
    print(caughtUp);
    const logged = count(file, 'SELECT count(*) FROM clicks');
    const errors = pairs.reduce((sum, [one, other]) => sum + one.errors + other.errors, 0);
    await ours.stop();
    const bytes = (statSync(file).size - sizeBefore) / logged;
    print(`one click: ${Math.round(bytes)} bytes on disk with everything that is derived from it`);
    // Answers that were under way when wrk stopped are in the log, too: one a connection and run at most.
    const complete = logged >= answered && logged <= answered + 64 * (rounds + 1);
    print(
      `clicks: ${answered} answers counted by wrk, ${logged} in the log: ${complete ? 'all there' : 'NOT EQUAL'}`,
    );
    const ratio = median(pairs.map(([one, other]) => other.rate / one.rate));
    const costs = pairs.map(([one, other]) => (one.cost ?? Number.NaN) / (other.cost ?? Number.NaN));
    print(
      `ratio ${ratio.toFixed(2)} (by processor time ${median(costs).toFixed(2)}), wanted ${wanted}, errors ${errors}`,
    );
    return complete && errors === 0 && ratio >= wanted ? 0 : 1;
  } finally {
    bare.stop();
    await ours.stop();
  }
}

/** Whether redirects stay as fast as they are while the name servers are down. */
async function measureSteadiness(): Promise<boolean> {
  const own = join(folder, 'dns-down');
  mkdirSync(own);
  return measureDnsDown({ folder: own, addLinks: (file) => addPaths(file, linkCount / 10), print });
}

/** Whether a link with ten rules is about as fast as one without. */
async function measureRules(): Promise<boolean> {
  const own = join(folder, 'ten-rules');
  mkdirSync(own);
  return measureTenRules({ folder: own, print });
}

/** Whether the page of links is as quick with 10,000 rows as with 100. */
async function measurePage(): Promise<boolean> {
  const own = join(folder, 'links-page');
  mkdirSync(own);
  return measureLinksPage({ folder: own, print });
}

/** Adds links and writes paths that follow them to a file beside the database; returns its name. */
function addPaths(file: string, links = linkCount): string {
  const paths = join(dirname(file), 'paths.txt');
  writeFileSync(paths, popularPaths(addLinks(file, links)).join('\n'));
  return paths;
}

/** Adds the example links by the server's own code and returns their aliases. */
function addLinks(file: string, links: number): string[] {
  const main = connect(file, 'FULL');
  const clicks = connect(file, 'NORMAL');
  try {
    const startedAt = performance.now();
    seed({ main, clicks, userId: 1, now: Date.now(), links, clickCount: 0 });
    print(`${links} links made in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    main.pragma('wal_checkpoint(TRUNCATE)');
    return main
      .prepare<[], string>('SELECT alias FROM links WHERE archived = 0 AND expires_at IS NULL')
      .pluck()
      .all();
  } finally {
    clicks.close();
    main.close();
  }
}

/** Some links are followed far more often than most, as in real life. */
function popularPaths(aliases: string[]): string[] {
  const position = zipf(aliases.length, draws(3));
  return Array.from({ length: requestCount }, () => `/${encodeURIComponent(aliases[position()] ?? '')}`);
}

function spawnBare(): Promise<{ port: number; pid: number; stop: () => void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) =>
      resolve({ port: Number(chunk.toString()), pid: child.pid ?? 0, stop: () => child.kill() }),
    );
    child.once('exit', (exit) => reject(new Error(`the bare server ended with ${exit}`)));
  });
}

/** Waits until all clicks are counted and tells what rate can be kept up for ever, counting included. */
async function waitForCatchUp(file: string, startedAt: number, alreadyLogged: number): Promise<string> {
  const loadEndedAt = performance.now();
  const behind = 'SELECT (SELECT max(id) FROM clicks) - position FROM rollup_position';
  const waiting = count(file, behind);
  while (count(file, behind) > 0 && performance.now() - loadEndedAt < longestCatchUpMs) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const left = count(file, behind);
  const seconds = (performance.now() - loadEndedAt) / 1000;
  const counting = (waiting - left) / seconds;
  const total = count(file, 'SELECT count(*) FROM clicks') - alreadyLogged - left;
  // The bare server had half of the time.
  const busy = (loadEndedAt - startedAt) / 2000 + seconds;
  return (
    `counting: ${waiting} clicks were waiting after the load, counted at ${Math.round(counting)}/s` +
    `; sustained rate with counting ${Math.round(total / busy)}/s`
  );
}

function count(file: string, sql: string): number {
  const connection = openReader(file);
  try {
    return connection.prepare<[], number>(sql).pluck().get() ?? 0;
  } finally {
    connection.close();
  }
}

function describe({ rate, p50, p99, cost }: Run): string {
  const processor = cost === undefined ? '' : `, ${cost.toFixed(1)} µs of processor each`;
  return `${Math.round(rate)}/s, p50 ${p50}, p99 ${p99}${processor}`;
}

function memory(pid: number): string {
  const megabytes = residentMemory(pid);
  return megabytes === undefined ? 'memory unknown' : `${Math.round(megabytes)} MB resident`;
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
