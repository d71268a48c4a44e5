import { createSocket } from 'node:dgram';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../server/platform/database/connect.ts';
import { setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { alternately, type Side } from './alternately.ts';
import { describeWaits } from './beside-bare.ts';
import { addPaths } from './links.ts';
import { describeSpread, spreadOf } from './metrics.ts';
import { pacedLoad, type Waits } from './paced.ts';
import { wireRequests } from './requests.ts';
import { startOurs } from './servers.ts';

const linkCount = 10_000;
const secondsEach = 4;
const rate = 1_000;
/** Twenty are looked up at once, and all fail after 4 s, in the middle of the measurement. */
const domainCount = 20;
const leadMs = 2_000;
const wanted = 1.1;

interface Options {
  /** An empty folder for this run. */
  folder: string;
  rounds: number;
  print: (line: string) => void;
}

/** Redirects with or without the job running. */
interface Job extends Side {
  run: () => Promise<Waits>;
}

/**
 * F-11: how long visitors wait while the job looks up domains and the name servers do not respond, at a load that
 * leaves the server mostly idle. The same server is measured alternately with and without the job. On a machine that
 * does other things, too, the 99th percentile of a round is anywhere between half and twice that of the next, so the
 * medians of all rounds are compared. True if their ratio is below 1.1.
 */
export async function measureDnsDown({ folder, rounds, print }: Options): Promise<boolean> {
  const file = join(folder, 'waypost.sqlite');
  const first = await spawnServer(folder);
  const key = await setUpAccount(first);
  await first.stop();
  const paths = addPaths(file, linkCount);
  addDomains(file);

  const silent = await silentNameServer();
  const server = await startOurs(folder, [
    ...['--dns-servers', silent.address, '--public-addresses', '192.0.2.1', '--ratelimit', '100000'],
  ]);
  const origin = `http://127.0.0.1:${server.port}`;
  const requests = wireRequests(paths.list, server.port);
  const visit = () => pacedLoad({ port: server.port, requests, seconds: secondsEach, rate, connections: 32 });
  const down: Job = { settle: server.settle, run: () => whileLookingUp(origin, key, file, visit) };
  const calm: Job = { settle: server.settle, run: visit };
  try {
    const results = await alternately<Job, Waits>({
      base: calm,
      ours: down,
      rounds,
      warmUp: visit,
      measure: ({ run }) => run(),
      onRound: ({ base, ours }, number) =>
        print(`name servers down, round ${number}: ${describeWaits(ours)}; otherwise ${describeWaits(base)}`),
    });
    const p99 = (side: 'base' | 'ours') => results.map((round) => round[side].p99);
    const ratio = spreadOf(p99('ours')).median / spreadOf(p99('base')).median;
    print(
      `NAME SERVERS DOWN: p99 of redirects ${describeSpread(p99('ours'))} ms, otherwise ${describeSpread(p99('base'))} ms, medians ${ratio.toFixed(2)} times as long, wanted below ${wanted}, ${silent.asked()} questions unanswered`,
    );
    return ratio < wanted && silent.asked() > 0;
  } finally {
    await server.stop();
    silent.close();
  }
}

/** Measures around the moment when a run of the domain job gives up, and waits for its end. */
async function whileLookingUp(
  origin: string,
  key: string,
  file: string,
  visit: () => Promise<Waits>,
): Promise<Waits> {
  makeDue(file);
  await ask(origin, key, 'POST');
  await pause(leadMs);
  if (!(await ask(origin, key, 'GET'))) throw new Error('the job was over before the measurement');
  const waits = await visit();
  while (await ask(origin, key, 'GET')) await pause(100);
  return waits;
}

/** Starts the job or asks for its state; true while it runs. */
async function ask(origin: string, key: string, method: 'GET' | 'POST'): Promise<boolean> {
  const response = await fetch(`${origin}/api/domains/sync`, {
    method,
    headers: { authorization: `Bearer ${key}` },
  });
  if (response.status !== 200) throw new Error(`the domain job answered ${response.status}`);
  return ((await response.json()) as { data: { running: boolean } }).data.running;
}

function addDomains(file: string): void {
  const database = connect(file, 'FULL');
  const insert = database.prepare('INSERT INTO domains (user_id, host, created_at) VALUES (1, ?, 0)');
  for (let index = 0; index < domainCount; index += 1) insert.run(`down${index}.example`);
  database.close();
}

function makeDue(file: string): void {
  const database = connect(file, 'FULL');
  database.prepare('UPDATE domains SET next_check_at = NULL').run();
  database.close();
}

/** A name server that receives every query and never responds. */
async function silentNameServer(): Promise<{ address: string; asked: () => number; close: () => void }> {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', () => {
    asked += 1;
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: () => asked,
    close: () => void socket.close(),
  };
}
