import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openReader } from '../../server/platform/database/connect.ts';
import { migrations } from '../../server/platform/database/migrations.ts';
import { seededIntegers } from '../support/clock.ts';
import { earlierData } from '../support/earlier-data.ts';
import { smallDisk } from '../support/small-disk.ts';
import { expectCheckToBeClean } from '../support/spawned-command.ts';
import { type SpawnedServer, spawnServer } from '../support/spawned-server.ts';
import { times, trialOf } from '../support/trials.ts';
import { visit } from '../support/visits.ts';

const kills = times({ short: 2, long: 60 });
const points = times({ short: 1, long: 30 });
const links = times({ short: 4_000, long: 20_000 });
/** Milliseconds that the statements of an update may take here, in proportion to what they have to do. */
const statementsMs = links / 20;
/** What an update may need of the disk for all those links and their copy. */
const updateBytes = links * 2_048;

const program = join(import.meta.dirname, '../../out/main/server.js');
const base = mkdtempSync(join(tmpdir(), 'waypost-migration-'));
const pristine = join(base, 'pristine');
const newest = migrations.at(-1)?.version;
const randomInteger = seededIntegers(23);
let server: SpawnedServer | undefined;

beforeAll(() => earlierData(pristine, links));
afterEach(async () => {
  await server?.kill();
  server = undefined;
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** What stands in a database; whether it is whole is looked at first. */
function lookInto(path: string): { version: unknown; links: unknown } {
  const connection = openReader(path);
  try {
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    return {
      version: connection.pragma('user_version', { simple: true }),
      links: connection.prepare('SELECT count(*) FROM links').pluck().get(),
    };
  } finally {
    connection.close();
  }
}

const snapshotsIn = (data: string): string[] => {
  const folder = join(data, 'snapshots');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};

/** Starts a server on what is there: everything is brought up to date, nothing is gone, and links lead on. */
async function expectUpdate(data: string): Promise<void> {
  server = await spawnServer(data, ['--backup', 'false']);
  for (const index of [0, links / 2, links - 1]) {
    const { location } = await visit(server, `/link-${index}`);
    expect(location).toBe(`https://example.com/link-${index}`);
  }
  expect(await server.stop()).toBe(0);
  server = undefined;
  expect(lookInto(join(data, 'waypost.sqlite'))).toEqual({ version: newest, links });
  const copies = snapshotsIn(data);
  expect(copies.length).toBeGreaterThan(0);
  expect(copies.filter((path) => !path.endsWith('.sqlite'))).toEqual([]);
  for (const copy of copies) expect(lookInto(copy).links).toBe(links);
  await expectCheckToBeClean(data);
}

test(`kill -9 at ${kills} moments of an upgrade leaves a state that the next start continues from (F-12)`, {
  timeout: 1_800_000,
}, async (context) => {
  const trial = trialOf(context, 'F-12', 'kill -9 in an update of the database');
  const timing = join(base, 'timing');
  cpSync(pristine, timing, { recursive: true });
  const whole = await spawnServer(timing, ['--backup', 'false']);
  const duration = whole.startMs;
  await whole.kill();
  const seen = new Set<unknown>();
  for (let round = 0; round < kills; round += 1) {
    const data = join(base, `killed-${round}`);
    cpSync(pristine, data, { recursive: true });
    trial.tried += 1;
    // By turns at any time, and while the statements run: that is over too soon to be met by the clock.
    const timestamp = duration * (0.2 + (0.85 * (round + randomInteger(100) / 100)) / kills);
    await killDuring(data, round % 2 === 0 ? timestamp : { afterCopy: (statementsMs * round) / kills });
    seen.add(lookInto(join(data, 'waypost.sqlite')).version);
    await expectUpdate(data);
    rmSync(data, { recursive: true, force: true });
    trial.survived += 1;
  }
  trial.note = `found at the versions ${[...seen].join(', ')}`;
  process.stdout.write(`kill -9 in an update: ${trial.note}\n`);
});

/**
 * Starts a server and ends it after so many milliseconds, or so many after the copy was made that an update begins
 * with.
 */
async function killDuring(data: string, when: number | { afterCopy: number }): Promise<void> {
  const args = [program, 'serve', '--port', '0', '--data', data, '--backup', 'false'];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const isCopied = () => snapshotsIn(data).some((path) => path.endsWith('.sqlite'));
  if (typeof when === 'object') await expect.poll(isCopied, { timeout: 60_000, interval: 2 }).toBe(true);
  const wait = typeof when === 'object' ? when.afterCopy : when;
  await new Promise((resolve) => setTimeout(resolve, wait));
  child.kill('SIGKILL');
  await ended;
}

test(`a disk that fills up at any of ${points} points of an upgrade is reported, and the next start continues (F-04)`, {
  tags: 'long',
  timeout: 1_800_000,
}, async (context) => {
  const trial = trialOf(context, 'F-04', 'full disk in an update of the database');
  let refused = 0;
  for (let point = 0; point < points; point += 1) {
    const disk = smallDisk(96);
    if (!disk) {
      context.skip();
      return;
    }
    trial.tried += 1;
    try {
      const data = join(disk.folder, 'data');
      cpSync(pristine, data, { recursive: true });
      disk.fill(randomInteger(Math.round((updateBytes * (point + 1)) / points)));
      const left: number[] = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const outcome = await spawnServer(data, ['--backup', 'false']).catch((error: Error) => error);
        if (outcome instanceof Error) {
          expect(outcome.message).toContain('The disk is full');
          expect(snapshotsIn(data).filter((path) => !path.endsWith('.sqlite'))).toEqual([]);
          refused += 1;
        } else await outcome.stop();
        left.push(disk.freeBytes());
      }
      // However often it is tried, what is left is not used up.
      expect(left[2]).toBeGreaterThanOrEqual((left[1] ?? 0) - 65_536);
      disk.release();
      await expectUpdate(data);
      trial.survived += 1;
    } finally {
      disk.remove();
    }
  }
  trial.note = `${refused} starts were refused`;
  process.stdout.write(`full disk in an update: ${trial.note}\n`);
  expect(refused).toBeGreaterThan(0);
});
