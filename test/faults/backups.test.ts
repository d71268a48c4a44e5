import { randomBytes } from 'node:crypto';
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { readArchive } from '../../server/operations/backup/archive.ts';
import { openReader } from '../../server/platform/database/connect.ts';
import { type BackupClient, calm, clientOf, restore } from '../support/spawned-backups.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { times, trialOf } from '../support/trials.ts';

const backups = times({ short: 2, long: 100 });
/** What each backup packs: a backup that holds writes up holds them up for a second and more. */
const packedBytes = 40_000_000;
const megabytes = times({ short: 60, long: 1000 });

const base = mkdtempSync(join(tmpdir(), 'waypost-backups-'));
let server: SpawnedServer | undefined;
let other: SpawnedServer | undefined;

afterEach(async () => {
  await Promise.all([server?.kill(), other?.kill()]);
  server = undefined;
  other = undefined;
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** The aliases in the database of a backup. */
async function aliasesOf(file: string): Promise<Set<string>> {
  const path = join(base, 'looked-at.sqlite');
  rmSync(path, { force: true });
  await readArchive(file, {
    onManifest() {},
    async onEntry(name, content) {
      const parts: Buffer[] = [];
      for await (const part of content) if (name === 'database.sqlite') parts.push(Buffer.from(part));
      if (name === 'database.sqlite') writeFileSync(path, Buffer.concat(parts));
    },
  });
  const connection = openReader(path);
  try {
    return new Set(connection.prepare<[], string>('SELECT alias FROM links').pluck().all());
  } finally {
    connection.close();
  }
}

/** A data folder that an earlier try left nothing in. */
const freshFolder = (name: string) => mkdtempSync(join(base, `${name}-`));

/** In the middle by size; the smaller one of two. */
function medianOf(numbers: number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}

/** Milliseconds that reading and hashing an archive takes on this machine. */
async function timeToRead(file: string): Promise<number> {
  const startedAt = performance.now();
  await readArchive(file, {
    onManifest() {},
    async onEntry(_name, content) {
      for await (const _part of content);
    },
  });
  return performance.now() - startedAt;
}

/** Four clients that add links until they are stopped. */
function write(addLink: BackupClient['addLink']) {
  const acknowledged: string[] = [];
  let times: number[] = [];
  let over = false;
  const underWay = new Map<number, Promise<void>>();

  async function add(alias: string, agent: Agent): Promise<void> {
    const startedAt = performance.now();
    await addLink(alias, agent);
    times.push(performance.now() - startedAt);
    acknowledged.push(alias);
  }

  const writers = Array.from({ length: 4 }, async (_, writer) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let number = 0; !over; number += 1) {
      const added = add(`made-${writer}-${number}`, agent);
      underWay.set(writer, added);
      await added;
    }
    agent.destroy();
  });
  return {
    acknowledged,
    /** Forgets how long writes took. */
    begin() {
      times = [];
    },
    /** Milliseconds of each write since `begin`, those included that are under way when this is called. */
    async finish() {
      await Promise.all(underWay.values());
      return times;
    },
    async stop() {
      over = true;
      await Promise.all(writers);
    },
  };
}

test(`${backups} backups under a load of writes lose none that was acknowledged, and hold none up (F-13)`, async (context) => {
  const trial = trialOf(context, 'F-13', 'backups under a load of writes');
  server = await spawnServer(freshFolder('load'), calm);
  // Has the same writes at the same time and makes no backups: what the machine is busy with holds up both.
  other = await spawnServer(freshFolder('other'), calm);
  const { addLink, backUp, send } = clientOf(server, await setUpAccount(server));
  expect((await send('/api/files/upload/packed.bin', randomBytes(packedBytes))).status).toBe(200);
  const { addLink: addOther } = clientOf(other, await setUpAccount(other));
  const writing = write(addLink);
  const otherWriting = write(addOther);
  const { acknowledged } = writing;
  // Looked at afterwards: unpacking them here would hold up the writers of this process, and count as the server's time.
  const made: { file: string; before: number }[] = [];
  const longest: number[] = [];
  const otherLongest: number[] = [];
  let writes = 0;
  const durations: number[] = [];
  try {
    for (let round = 0; round < backups; round += 1) {
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(100 * (round + 1)), 60_000);
      writing.begin();
      otherWriting.begin();
      const before = acknowledged.length;
      const startedAt = performance.now();
      const file = await backUp();
      durations.push(performance.now() - startedAt);
      const [held, otherHeld] = await Promise.all([writing.finish(), otherWriting.finish()]);
      writes += held.length;
      longest.push(Math.max(...held));
      otherLongest.push(Math.max(...otherHeld));
      const kept = join(base, `under-load-${round}.tar.gz`);
      rmSync(kept, { force: true });
      linkSync(file, kept);
      made.push({ file: kept, before });
    }
  } finally {
    await Promise.all([writing.stop(), otherWriting.stop()]);
  }
  for (const { file, before } of made) {
    const kept = await aliasesOf(file);
    const lost = acknowledged.slice(0, before).filter((alias) => !kept.has(alias));
    trial.tried += 1;
    trial.lost += lost.length;
    expect(lost).toEqual([]);
    trial.survived += 1;
  }
  const held = medianOf(longest);
  const otherHeld = medianOf(otherLongest);
  const duration = medianOf(durations);
  trial.note = `${acknowledged.length} answered writes, the longest ${held.toFixed(1)} ms`;
  process.stdout.write(
    `backups: ${backups}, each in ${Math.round(duration)} ms beside ${Math.round(writes / backups)} writes, ` +
      `the longest write ${held.toFixed(1)} ms, at the other server ${otherHeld.toFixed(1)} ms\n`,
  );
  expect(writes).toBeGreaterThan(backups * 20);
  // A backup that holds writes up does so each time, and for as long as it packs, which is most of it. What a busy machine
  // holds up is shorter than that, or the other server's as well.
  expect(held).toBeLessThan(Math.max(100, duration / 5, 2 * otherHeld));
}, 1_800_000);

test(`${megabytes} MB are restored on an empty folder in proportion to 1 GB in a minute (F-14)`, async () => {
  const data = join(base, 'large');
  server = await spawnServer(data, [...calm, '--max-upload-mb', '1000']);
  const { send, backUp } = clientOf(server, await setUpAccount(server));
  const share = Math.ceil(megabytes / 4);
  for (let number = 0; number < 4; number += 1) {
    expect((await send(`/api/files/upload/large-${number}.bin`, randomBytes(share * 1_000_000))).status).toBe(
      200,
    );
  }
  const file = await backUp();
  await server.stop();
  const startedAt = performance.now();
  expect(await restore(file, join(base, 'large-restored')).ended).toBe(0);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(`restore: ${megabytes} MB in ${seconds.toFixed(1)} s\n`);
  // What starts a process does not shrink with the data; a machine that is busy reads slowly, too.
  const reading = (await timeToRead(file)) / 1000;
  expect(seconds).toBeLessThan(Math.max(5 + (55 * megabytes) / 1000, 5 + 6 * reading));
  for (const name of readdirSync(join(data, 'files')).filter((each) => each !== 'tmp')) {
    const [one, other] = [data, join(base, 'large-restored')].map((folder) =>
      readFileSync(join(folder, 'files', name)),
    );
    expect(one?.equals(other as Buffer)).toBe(true);
  }
}, 1_800_000);
