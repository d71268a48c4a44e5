import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../server/platform/database/connect.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { pacedP99 } from './paced.ts';

const rounds = 15;
const secondsEach = 2;
const rate = 400;
/** Twenty are looked up at once, and all fail after 4 s: the measurement has this moment in its middle. */
const domainCount = 20;
const leadMs = 3_000;
const wanted = 1.1;

interface Options {
  /** A data folder of an instance without an account. */
  folder: string;
  /** Adds links to the database and writes paths that follow them to a file; returns its name. */
  addLinks: (file: string) => string;
  print: (line: string) => void;
}

/**
 * F-11: how much slower redirects are while the job looks domains up and the name servers give no answer. The same server
 * is measured with and without the job in turn, each first in every second round. True when the median of the ratios of
 * p99 is below 1.1.
 */
export async function measureDnsDown({ folder, addLinks, print }: Options): Promise<boolean> {
  const file = join(folder, 'waypost.sqlite');
  const first = await spawnServer(folder);
  const key = await setUpAccount(first);
  await first.stop();
  const paths = readFileSync(addLinks(file), 'utf8').split('\n');
  addDomains(file);

  const silent = await silentNameServer();
  const server = await spawnServer(folder, [
    ...['--dns-servers', silent.address, '--public-addresses', '192.0.2.1', '--ratelimit', '100000'],
  ]);
  try {
    const measure = () => pacedP99({ port: server.port, paths, seconds: secondsEach, rate });
    await measure();
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const quietFirst = round % 2 === 1 ? await measure() : undefined;
      const down = await whileLookingUp(server, key, file, measure);
      const quiet = quietFirst ?? (await measure());
      const ratio = down / quiet;
      ratios.push(ratio);
      print(
        `DNS down, round ${round}: p99 ${down.toFixed(2)} ms, otherwise ${quiet.toFixed(2)} ms, ratio ${ratio.toFixed(2)}`,
      );
    }
    const middle = ratios.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
    print(
      `redirects while DNS is down: p99 ${middle.toFixed(2)} times as long, wanted below ${wanted}, ${silent.asked()} questions unanswered`,
    );
    return middle < wanted && silent.asked() > 0;
  } finally {
    await server.stop();
    silent.close();
  }
}

/** Measures around the moment at which a run of the domain job gives up, and waits for its end. */
async function whileLookingUp(
  server: SpawnedServer,
  key: string,
  file: string,
  measure: () => Promise<number>,
): Promise<number> {
  makeDue(file);
  await ask(server, key, 'POST');
  await pause(leadMs);
  if (!(await ask(server, key, 'GET'))) throw new Error('the job was over before the measurement');
  const p99 = await measure();
  while (await ask(server, key, 'GET')) await pause(100);
  return p99;
}

/** Starts the job or asks for its state; true while it runs. */
async function ask(server: SpawnedServer, key: string, method: 'GET' | 'POST'): Promise<boolean> {
  const response = await fetch(`${server.origin}/api/domains/sync`, {
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

/** A name server that hears every question and answers none. */
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
