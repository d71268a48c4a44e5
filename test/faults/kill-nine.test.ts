import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededIntegers } from '../support/clock.ts';
import { type Journal, journal } from '../support/journal.ts';
import { type Clicks, mixedLoad, prepareLoad } from '../support/mixed-load.ts';
import { resentImports } from '../support/resent-imports.ts';
import { clientOf, restore } from '../support/spawned-backups.ts';
import { expectCheckToBeClean } from '../support/spawned-command.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { expectCountsToAgree, lostClicks, readClicks, readStored } from '../support/stored-things.ts';
import { times, trialOf } from '../support/trials.ts';

/** How often the server is killed (F-01). */
const rounds = times({ short: 2, long: 200 });
/** One round of so many kills it while it replaces everything by a backup. */
const restoreEvery = times({ short: 2, long: 5 });

const folder = mkdtempSync(join(tmpdir(), 'waypost-kill-'));
const randomInteger = seededIntegers(9);
const written = journal();
const clicks: Clicks = { asked: new Map(), answered: new Map() };
const resent = resentImports();
let server: SpawnedServer | undefined;
let key = '';
let overlays: number[] = [];
/** How often the test was begun: what is tried again meets what its first try left. */
let tries = 0;

beforeAll(async () => {
  server = await start();
  key = await setUpAccount(server);
  overlays = await prepareLoad({ port: server.port, key });
  await server.stop();
});
afterAll(async () => {
  await server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const answeredVisits = () => [...clicks.answered.values()].reduce((sum, count) => sum + count, 0);

function start(): Promise<SpawnedServer> {
  return spawnServer(folder, ['--ratelimit', '1000000', '--backup', 'false']);
}

async function killUnderLoad(running: SpawnedServer, round: number): Promise<void> {
  const load = mixedLoad({
    port: running.port,
    key,
    journal: written,
    clicks,
    overlays,
    round: `${tries}-${round}`,
    randomInteger,
  });
  const imports = resent.start(running, key, `${tries}-${round}`);
  // However busy the machine is, something was answered, and something is under way.
  const before = { writes: written.answered(), visits: answeredVisits() };
  await expect
    .poll(() => Math.min(written.answered() - before.writes, answeredVisits() - before.visits), {
      interval: 1,
      timeout: 60_000,
    })
    .toBeGreaterThan(4);
  await new Promise((resolve) => setTimeout(resolve, 20 + randomInteger(481)));
  await running.kill();
  await load.stop();
  await imports;
}

/** What was newer than a backup when the server was killed while it restored that. */
interface Newer {
  /** Links from before the restore was ordered. */
  aliases: string[];
  /** What went on meanwhile. */
  written: Journal;
  clicks: Clicks;
}

/**
 * Kills the server under load at some moment after it was told to restore a backup. Afterwards all is there that is
 * newer than that, or nothing of it.
 */
async function killInRestore(running: SpawnedServer, round: number): Promise<Newer> {
  const { addLink, backUp, send } = clientOf(running, key);
  await backUp();
  const aliases = Array.from({ length: 3 }, (_, index) => `newer-${tries}-${round}-${index}`);
  for (const alias of aliases) await addLink(alias);
  const newer = { aliases, written: journal(), clicks: { asked: new Map(), answered: new Map() } };
  const isOrdered = () => existsSync(join(folder, 'restore/ready.json'));
  const load = mixedLoad({
    port: running.port,
    key,
    journal: newer.written,
    clicks: newer.clicks,
    overlays,
    round: `restore-${tries}-${round}`,
    randomInteger,
    // Once the present state is saved nothing is written to it any more, and what is restored is another instance.
    isEnd: (status) => status === 503 || isOrdered(),
  });
  const [{ id }] = (await send('/api/backups')).body.data.backups;
  expect((await send('/api/backup/restore', { id, withoutkeys: true })).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, randomInteger(4000)));
  await running.kill();
  await load.stop();
  return newer;
}

/** What was acknowledged before a restore took its place is in the backup that the restore made of it. */
async function expectSaved({ aliases, written: acknowledged }: Newer): Promise<void> {
  const kept = readdirSync(join(folder, 'backups')).filter((name) => name.endsWith('before-restore.tar.gz'));
  const saved = mkdtempSync(join(tmpdir(), 'waypost-saved-'));
  try {
    expect(await restore(join(folder, 'backups', kept.sort().at(-1) ?? ''), saved).ended).toBe(0);
    const stored = readStored(saved);
    expect(acknowledged.lost(stored)).toEqual([]);
    for (const alias of aliases) expect(stored.get(alias)).toBe(`https://example.com/${alias}`);
  } finally {
    rmSync(saved, { recursive: true, force: true });
  }
}

/** Counts visits of a load as those of all loads. */
function addVisits({ asked, answered }: Clicks): void {
  for (const [all, some] of [
    [clicks.asked, asked],
    [clicks.answered, answered],
  ] as const) {
    for (const [alias, count] of some) all.set(alias, (all.get(alias) ?? 0) + count);
  }
}

test(`kill -9 under mixed load loses no answered click and no answered write, ${rounds} times (F-01)`, {
  timeout: 3_600_000,
}, async (context) => {
  const trial = trialOf(context, 'F-01', 'kill -9 under mixed load');
  tries += 1;
  const startTimes: number[] = [];
  const restores = { tried: 0, done: 0 };
  let newer: Newer | undefined;
  for (let round = 0; round <= rounds; round += 1) {
    // By turns on what the killed server left, and beside the one that was started on it.
    if (round % 2 === 1) await expectCheckToBeClean(folder);
    server = await start();
    await resent.sendAgain(server, key);
    expect(resent.notOnce(folder)).toEqual([]);
    startTimes.push(server.startMs);
    if (round % 2 === 0) await expectCheckToBeClean(folder);
    const stored = readStored(folder);
    if (newer) {
      const kept = newer.aliases.filter((alias) => stored.has(alias));
      expect([[], newer.aliases]).toContainEqual(kept);
      if (kept.length === 0) {
        restores.done += 1;
        await expectSaved(newer);
      } else {
        expect(newer.written.lost(stored)).toEqual([]);
        addVisits(newer.clicks);
      }
      newer = undefined;
    }
    const lost = written.lost(stored);
    trial.lost += lost.length + lostClicks(clicks, readClicks(folder));
    expect(lost).toEqual([]);
    expect(trial.lost).toBe(0);
    if (round > 0) trial.survived += 1;
    if (round === rounds) break;
    trial.tried += 1;
    if (round % restoreEvery === restoreEvery - 1) {
      newer = await killInRestore(server, round);
      restores.tried += 1;
    } else await killUnderLoad(server, round);
  }

  const logged = await expectCountsToAgree(folder);
  expect(await server?.stop()).toBe(0);
  await expectCheckToBeClean(folder);
  const answeredClicks = answeredVisits();
  trial.note =
    `${answeredClicks} answered clicks (${logged} in the log), ${written.answered()} answered writes, ` +
    `${resent.count()} rows without an alias, ` +
    `${restores.done} of ${restores.tried} restores done, slowest start ${Math.round(Math.max(...startTimes))} ms`;
  expect(answeredClicks).toBeGreaterThan(rounds * 2);
  expect(written.answered()).toBeGreaterThan(rounds);
});
