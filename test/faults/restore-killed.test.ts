import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openReader } from '../../server/platform/database/connect.ts';
import { isReplacementOrdered } from '../../server/platform/database/replacement.ts';
import { seededIntegers } from '../support/clock.ts';
import { calm, clientOf, restore } from '../support/spawned-backups.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { times, trialOf } from '../support/trials.ts';

const kills = times({ short: 3, long: 50 });

const base = mkdtempSync(join(tmpdir(), 'waypost-restores-'));
const randomInteger = seededIntegers(5);
let server: SpawnedServer | undefined;

afterEach(async () => {
  await server?.kill();
  server = undefined;
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

let pristine = '';
let key = '';
let newer = '';
beforeAll(async () => {
  pristine = join(base, 'pristine');
  server = await spawnServer(pristine, calm);
  key = await setUpAccount(server);
  const { addLink, send, backUp } = clientOf(server, key);
  await addLink('new');
  await send('/api/files/upload/new.bin', randomBytes(times({ short: 8_000_000, long: 20_000_000 })));
  newer = await backUp();
  cpSync(newer, join(base, 'newer.tar.gz'));
  newer = join(base, 'newer.tar.gz');
  await addLink('old');
  await send('/api/files/upload/old.bin', randomBytes(1_000_000));
  await server.stop();
  server = undefined;
  rmSync(join(pristine, 'backups'), { recursive: true });
}, 120_000);

/** Resolves some milliseconds after a path is there, or when the process has ended. */
async function appearance(path: string, ended: Promise<unknown>, later: number): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver && !existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 1));
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, later))]);
}

test(`kill -9 at ${kills} random moments of a restore leaves either the old or the restored state (F-14)`, async (context) => {
  const trial = trialOf(context, 'F-14', 'kill -9 in a restore');
  const timing = join(base, 'timing');
  cpSync(pristine, timing, { recursive: true });
  const startedAt = performance.now();
  expect(await restore(newer, timing).ended).toBe(0);
  const duration = performance.now() - startedAt;
  const seen = { old: 0, new: 0 };
  for (let round = 0; round < kills; round += 1) {
    const data = join(base, `killed-${round}`);
    cpSync(pristine, data, { recursive: true });
    const { ended, kill } = restore(newer, data);
    // By turns while the new state is put together, at any time, and while it takes the place of the old one: that is
    // over in a few milliseconds, which a moment by the clock would hardly ever meet.
    const folder = join(data, 'restore');
    if (round % 3 === 0) await appearance(join(folder, 'staged'), ended, randomInteger(30));
    else if (round % 3 === 1)
      await appearance(data, ended, duration * (0.3 + 0.7 * (randomInteger(1000) / 1000)));
    else await appearance(join(folder, 'ready.json'), ended, randomInteger(6));
    trial.tried += 1;
    kill();
    await ended;
    server = await spawnServer(data);
    const headers = { headers: { authorization: `Bearer ${key}` } };
    expect((await fetch(`${server.origin}/api/account`, headers)).status).toBe(200);
    await server.stop();
    server = undefined;
    expect(isReplacementOrdered(data)).toBe(false);
    const connection = openReader(join(data, 'waypost.sqlite'));
    try {
      const isOld = connection.prepare("SELECT 1 FROM links WHERE alias = 'old'").get() !== undefined;
      seen[isOld ? 'old' : 'new'] += 1;
      const stored = connection.prepare<[], string>('SELECT storage FROM files').pluck().all();
      const there = readdirSync(join(data, 'files')).filter((name) => name !== 'tmp');
      expect(there.sort()).toEqual(stored.sort());
      expect(stored).toHaveLength(isOld ? 2 : 1);
      expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    } finally {
      connection.close();
    }
    rmSync(data, { recursive: true, force: true });
    trial.survived += 1;
  }
  trial.note = `${seen.old} times the old state, ${seen.new} times the new one`;
  process.stdout.write(`kill -9 in a restore: ${trial.note}\n`);
  expect(seen.old).toBeGreaterThan(0);
  expect(seen.new).toBeGreaterThan(0);
}, 1_800_000);
