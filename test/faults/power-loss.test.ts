import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, type TestContext, test } from 'vitest';
import { seededIntegers } from '../support/clock.ts';
import { type Journal, journal } from '../support/journal.ts';
import { type Clicks, mixedLoad, prepareLoad } from '../support/mixed-load.ts';
import { type RecordedDisk, recordedDisk } from '../support/recorded-disk.ts';
import { expectCheckToBeClean } from '../support/spawned-command.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';
import {
  expectCountsToAgree,
  lostClicks,
  readClicks,
  readStored,
  withReader,
} from '../support/stored-things.ts';
import { times, trialOf } from '../support/trials.ts';
import { visit } from '../support/visits.ts';
import { weakenedProgram } from '../support/weakened-program.ts';

// A disk of which every write and every flush is recorded is cut off at moments of a load: what was flushed is there,
// of the rest nothing, everything or any part. What this cannot see is a disk that says that it flushed and did not.

/** Power cuts after which the data is read (F-03). */
const cuts = times({ short: 2, long: 600 });
/** After one of so many a server is started on it as well (F-02). */
const startEvery = times({ short: 4, long: 3 });
/** Answered writes of the load that is cut off. */
const writes = times({ short: 70, long: 1000 });
/** Power cuts for the server that commits carelessly. */
const teeth = 20;
/** Uploads leave 256 MB free. */
const diskMegabytes = 512;
const calm = ['--ratelimit', '1000000', '--backup', 'false'];

const randomInteger = seededIntegers(17);
let server: SpawnedServer | undefined;
let disk: RecordedDisk | undefined;
afterEach(async () => {
  await server?.kill();
  server = undefined;
  await disk?.remove();
  disk = undefined;
});

interface Recorded {
  disk: RecordedDisk;
  key: string;
  written: Journal;
  clicks: Clicks;
  /** Moments to cut the power at, the earliest first: by turns right after an answer, and any. */
  moments(count: number): number[];
}

/** Lets a server work on a recorded disk until so many writes were answered. Skips the test where there is none. */
async function record(context: TestContext, atLeast: number, program?: string): Promise<Recorded> {
  const made = await recordedDisk(diskMegabytes);
  if (!made) return context.skip('no disk can be recorded on this system');
  disk = made;
  const data = join(made.folder, 'data');
  const written = journal(made.moment);
  const clicks: Clicks = { asked: new Map(), answered: new Map() };
  server = await spawnServer(data, calm, [], program);
  const key = await setUpAccount(server);
  const overlays = await prepareLoad({ port: server.port, key });
  // Whatever the first start and the set-up left to be flushed is flushed by this.
  await server.stop();
  server = await spawnServer(data, calm, [], program);
  const begun = made.moment();
  const { port } = server;
  const load = mixedLoad({ port, key, journal: written, clicks, overlays, round: 'only', randomInteger });
  await expect.poll(() => written.answered(), { timeout: 600_000 }).toBeGreaterThan(atLeast);
  await load.stop();
  const ended = made.moment();
  await server.kill();
  server = undefined;
  await made.unmount();
  const answers = written.answerMoments().filter((moment) => moment <= ended);
  const anyMoment = (index: number) =>
    index % 2 === 0
      ? (answers[randomInteger(answers.length)] ?? ended)
      : begun + randomInteger(ended - begun);
  return {
    disk: made,
    key,
    written,
    clicks,
    moments: (count) => Array.from({ length: count }, (_, index) => anyMoment(index)).sort((a, b) => a - b),
  };
}

test(`${cuts} power cuts under mixed load lose nothing acknowledged (F-02, F-03)`, {
  timeout: 3_600_000,
}, async (context) => {
  const trial = trialOf(context, 'F-02', 'power cut under mixed load');
  const recorded = await record(context, writes);
  const { written, clicks, key } = recorded;
  let lostInLog = 0;
  for (const [index, moment] of recorded.moments(cuts).entries()) {
    const cut = await recorded.disk.cut(moment, randomInteger);
    const data = join(cut.folder, 'data');
    try {
      trial.tried += 1;
      // Before a server is started on it, whose visitor is one more.
      lostInLog = Math.max(lostInLog, lostClicks(clicks, readClicks(data)));
      if (index % startEvery === 0) await expectServerToGoOn(data, key);
      const lost = written.lost(readStored(data), moment);
      trial.lost += lost.length;
      expect(lost, `power cut ${index} at ${moment}`).toEqual([]);
      expect(withReader(data, (connection) => connection.pragma('integrity_check', { simple: true }))).toBe(
        'ok',
      );
      trial.survived += 1;
    } finally {
      await server?.kill();
      server = undefined;
      await cut.unmount();
    }
  }
  trial.note =
    `${written.answered()} answered writes, a server started after ${Math.ceil(cuts / startEvery)} of the cuts, ` +
    `at most ${lostInLog} clicks lost, as the log may`;
  process.stdout.write(`power cuts: ${trial.note}\n`);
});

/** Starts a server on what a power cut left: it lets its owner in, leads on, and finds nothing wrong with its data. */
async function expectServerToGoOn(data: string, key: string): Promise<void> {
  server = await spawnServer(data, calm);
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${server.origin}/api/account`, { headers })).status).toBe(200);
  expect((await visit(server, '/follow-0')).location).toBe('https://example.com/followed');
  await expectCheckToBeClean(data);
  await expectCountsToAgree(data);
  await server.stop();
  server = undefined;
}

test(`of ${teeth} power cuts, some lose acknowledged writes on a server that does not sync them`, {
  tags: 'long',
  timeout: 900_000,
}, async (context) => {
  const trial = trialOf(context, 'F-02', 'teeth: cuts that a server without FULL survives unharmed');
  const folder = mkdtempSync(join(tmpdir(), 'waypost-weakened-'));
  try {
    const recorded = await record(context, 200, weakenedProgram(folder));
    let harmed = 0;
    for (const moment of recorded.moments(teeth)) {
      const cut = await recorded.disk.cut(moment, randomInteger);
      try {
        const lost = recorded.written.lost(readStored(join(cut.folder, 'data')), moment);
        if (lost.length > 0) harmed += 1;
      } finally {
        await cut.unmount();
      }
    }
    expect(harmed).toBeGreaterThan(0);
    trial.tried = teeth;
    trial.survived = teeth;
    trial.note = `${harmed} cuts lost something, as they must`;
    process.stdout.write(`power cuts without FULL: ${trial.note}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
