import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBackup, whenIdle } from '../support/backups.ts';
import { seededIntegers } from '../support/clock.ts';
import { expectWayOut, instanceOn } from '../support/full-disk.ts';
import { smallDisk } from '../support/small-disk.ts';
import { times, trialOf } from '../support/trials.ts';
import { visit } from '../support/visits.ts';

const points = times({ short: 1, long: 50 });
const next = seededIntegers(4);

test(`a disk that fills up at any of ${points} points is recovered by deleting (F-04)`, {
  timeout: 900_000,
}, async (context) => {
  const trial = trialOf(context, 'F-04', 'full disk, left again by deleting');
  for (let point = 0; point < points; point += 1) {
    const disk = smallDisk(32);
    if (!disk) {
      context.skip();
      return;
    }
    trial.tried += 1;
    try {
      const instance = await instanceOn(disk);
      // From the last block to a megabyte.
      disk.fill(point === 0 ? 0 : next(1_048_576));
      await expectWayOut(disk, instance);
      trial.survived += 1;
    } finally {
      disk.remove();
    }
  }
});

const backups = times({ short: 1, long: 25 });
/** A backup begins only with 256 MB to spare. */
const roomyMegabytes = 340;

test(`a disk that fills up at any of ${backups} points of a backup only fails the backup (F-04)`, {
  tags: 'long',
  timeout: 900_000,
}, async (context) => {
  const trial = trialOf(context, 'F-04', 'full disk in a backup');
  let failed = 0;
  for (let point = 0; point < backups; point += 1) {
    const disk = smallDisk(roomyMegabytes);
    if (!disk) {
      context.skip();
      return;
    }
    trial.tried += 1;
    try {
      const { server, linkIds } = await instanceOn(disk);
      try {
        // Space enough by what is known before, and somebody else takes it while the backup is made.
        const begun = await server.request('POST', '/api/backup/add');
        disk.fill(next(6_000_000));
        if (begun.status !== 200) expect(begun.body.code).toBe('disk_full');
        const failure = await whenIdle(server);
        if (failure) {
          failed += 1;
          expect(failure.code).toBe('disk_full');
        }
        expect((await visit(server, '/link1')).location).toBe('https://example.com/link1');
        expect(existsSync(join(server.folder, 'backup-work'))).toBe(false);
        const kept = join(server.folder, 'backups');
        const drafts = existsSync(kept) ? readdirSync(kept).filter((name) => name.endsWith('.partial')) : [];
        expect(drafts).toEqual([]);
        const { backups } = (await server.request('GET', '/api/backups')).body.data;
        for (const { state } of backups) expect(['restorable', 'unchecked']).toContain(state);
        expect((await server.request('DELETE', `/api/url/${linkIds[0]}/delete`)).status).toBe(200);
        disk.release();
        await expect
          .poll(async () => (await server.request('POST', '/api/backup/add')).status, { timeout: 10_000 })
          .toBe(200);
        expect(await whenIdle(server)).toBeNull();
        expect((await makeBackup(server)).state).toBe('restorable');
        trial.survived += 1;
      } finally {
        await server.close();
      }
    } finally {
      disk.remove();
    }
  }
  trial.note = `${failed} backups failed`;
  process.stdout.write(`full disk in a backup: ${trial.note}\n`);
  expect(failed).toBeGreaterThan(0);
});
