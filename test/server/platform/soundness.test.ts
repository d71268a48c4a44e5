import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addLink } from '../../../server/contract/links.ts';
import { DatabaseRefused } from '../../../server/platform/database/refused.ts';
import { soundness, wasLeftOpen } from '../../../server/platform/database/soundness.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { seededIntegers } from '../../support/clock.ts';
import { visit } from '../../support/visits.ts';

let folder = '';
let server: TestApp | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-sound-'));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** A stopped instance with a link and more than the start waits to look at; the end of its file is a log of visits. */
async function stoppedInstance(megabytes: number): Promise<string> {
  const made = await startApp({ folder });
  await made.call(addLink, { body: { url: 'https://example.com/kept', custom: 'kept' } });
  made.databases.main
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO orphan_visits (at, domain_id, path, referrer, bot) SELECT i, 0, hex(zeroblob(500)), '', 0 FROM n`,
    )
    .run(megabytes * 1000);
  await made.close();
  return join(folder, 'waypost.sqlite');
}

function damage(file: string): void {
  const next = seededIntegers();
  const noise = Buffer.from(Array.from({ length: 8192 }, () => next(256)));
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, noise, 0, noise.length, statSync(file).size - 16 * 4096);
  closeSync(descriptor);
}

const damageOf = async (app: TestApp) => (await app.request('GET', '/api/instance')).body.data.damage;

test('damage to a large file is found while running, reported, and refused by the next start', async () => {
  const file = await stoppedInstance(10);
  damage(file);
  server = await startApp({ folder });
  expect(await damageOf(server)).toBeNull();
  server.app.startJobs();
  server.clock.advance(31_000);
  await expect.poll(() => damageOf(server as TestApp), { timeout: 20_000 }).toEqual(expect.any(String));
  expect(server.logLines().join('\n')).toMatch(/is damaged.*restore a backup/);
  expect((await visit(server, '/kept')).location).toBe('https://example.com/kept');
  await server.close();
  server = undefined;
  await expect(startApp({ folder })).rejects.toThrow(DatabaseRefused);
  await expect(startApp({ folder })).rejects.toThrow('is damaged');
});

test('a start is no longer refused once the damaged file was replaced', async () => {
  await stoppedInstance(10);
  writeFileSync(join(folder, 'soundness.json'), JSON.stringify({ at: 1, fault: 'a page was noise' }));
  server = await startApp({ folder });
  expect(await damageOf(server)).toBeNull();
});

test('a small file is checked before the start', async () => {
  const file = await stoppedInstance(1);
  damage(file);
  await expect(startApp({ folder })).rejects.toThrow('is damaged');
});

test('a check is due a day after the last one, and soon after an unclean shutdown', () => {
  const now = 1_800_000_000_000;
  const firstMs = (look: object | undefined, leftOpen: boolean) => {
    const at = mkdtempSync(join(folder, 'look-'));
    if (look) writeFileSync(join(at, 'soundness.json'), JSON.stringify(look));
    const log = { error() {} };
    return soundness({ folder: at, file: join(at, 'none'), leftOpen, now: () => now, log }).job.firstMs;
  };
  const hour = 3_600_000;
  expect(firstMs(undefined, false)).toBe(30_000);
  expect(firstMs({ at: now - hour, fault: null }, false)).toBe(23 * hour);
  expect(firstMs({ at: now - hour, fault: null }, true)).toBe(30_000);
  expect(firstMs({ at: now - 30 * hour, fault: null }, false)).toBe(30_000);
  expect(firstMs({ at: now + hour, fault: null }, false)).toBe(30_000);
});

test('a file with a log beside it was left open', async () => {
  const file = await stoppedInstance(1);
  expect(wasLeftOpen(file)).toBe(false);
  writeFileSync(`${file}-wal`, 'left');
  expect(wasLeftOpen(file)).toBe(true);
});
