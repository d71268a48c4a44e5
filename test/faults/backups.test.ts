import { randomBytes } from 'node:crypto';
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { readArchive } from '../../server/operations/backup/archive.ts';
import { openReader } from '../../server/platform/database/connect.ts';
import { calm, clientOf, restore } from '../support/spawned-backups.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { times, trialOf } from '../support/trials.ts';

const backups = times({ short: 2, long: 100 });
const megabytes = times({ short: 60, long: 1000 });

const base = mkdtempSync(join(tmpdir(), 'waypost-backups-'));
let server: SpawnedServer | undefined;

afterEach(async () => {
  await server?.kill();
  server = undefined;
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

function p99Of(times: number[]): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;
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

test(`${backups} backups under a load of writes lose none that was acknowledged, and hold none up (F-13)`, async (context) => {
  const trial = trialOf(context, 'F-13', 'backups under a load of writes');
  const data = join(base, 'load');
  server = await spawnServer(data, calm);
  const { addLink, backUp } = clientOf(server, await setUpAccount(server));
  const acknowledged: string[] = [];
  const times: number[] = [];
  let over = false;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let number = 0; !over; number += 1) {
      const startedAt = performance.now();
      await addLink(`made-${writer}-${number}`, agent);
      times.push(performance.now() - startedAt);
      acknowledged.push(`made-${writer}-${number}`);
    }
    agent.destroy();
  });
  // Looked at afterwards: unpacking them here would hold up the writers of this process, and count as the server's
  // time.
  const made: { file: string; before: number }[] = [];
  const calmTimes: number[] = [];
  const backupTimes: number[] = [];
  let seconds = 0;
  try {
    for (let round = 0; round < backups; round += 1) {
      // What a write takes without a backup, before each of them: how busy the machine is otherwise changes from second
      // to second.
      times.length = 0;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      calmTimes.push(...times.splice(0));
      const before = acknowledged.length;
      const startedAt = performance.now();
      const file = await backUp();
      seconds += (performance.now() - startedAt) / 1000;
      backupTimes.push(...times.splice(0));
      const kept = join(base, `under-load-${round}.tar.gz`);
      linkSync(file, kept);
      made.push({ file: kept, before });
    }
  } finally {
    over = true;
    await Promise.all(writers);
  }
  for (const { file, before } of made) {
    const kept = await aliasesOf(file);
    const lost = acknowledged.slice(0, before).filter((alias) => !kept.has(alias));
    trial.tried += 1;
    trial.lost += lost.length;
    expect(lost).toEqual([]);
    trial.survived += 1;
  }
  const p99 = p99Of(backupTimes);
  const calmP99 = p99Of(calmTimes);
  trial.note = `${acknowledged.length} answered writes, p99 ${p99.toFixed(1)} ms`;
  process.stdout.write(
    `backups: ${backups} in ${seconds.toFixed(1)} s beside ${Math.round(backupTimes.length / seconds)} writes a second, ` +
      `p99 of a write ${p99.toFixed(1)} ms, without a backup ${calmP99.toFixed(1)} ms\n`,
  );
  expect(backupTimes.length).toBeGreaterThan(backups * 20);
  // On a machine that is busy with other things, the wait for those is not the backup's.
  expect(p99).toBeLessThan(Math.max(100, 3 * calmP99));
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
