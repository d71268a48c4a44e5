import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openInMemory } from '../../../server/platform/database/connect.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { deletionClock } from '../../../server/platform/jobs/deletion-clock.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { type TestClock, testClock } from '../../support/clock.ts';

const hour = 3_600_000;
const day = 24 * hour;

let folder = '';
let clock: TestClock;
let server: TestApp;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-clock-'));
  clock = testClock();
  server = await startApp({ folder, clock });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function trashedLink(alias: string): Promise<number> {
  const body = { url: `https://example.com/${alias}`, custom: alias };
  const { id } = (await server.request('POST', '/api/url/add', { body })).body;
  await server.request('DELETE', `/api/url/${id}/delete`);
  return id;
}

const isThere = (id: number) =>
  server.databases.main.prepare('SELECT 1 FROM links WHERE id = ?').pluck().get(id) === 1;

async function start(): Promise<void> {
  server = await startApp({ folder, clock });
  server.app.startJobs();
}

/** Lets every job that is due by now come round several times, so that what it would delete is gone. */
async function letJobsRun(): Promise<void> {
  const seen = server.databases.main.prepare('SELECT ahead_seen FROM clock').pluck();
  for (let round = 0; round < 3; round += 1) {
    clock.advance(2 * hour);
    const asked = clock.now();
    await expect.poll(() => seen.get(), { timeout: 5_000 }).toBe(asked);
  }
}

const warned = () => server.logLines().some((line) => line.includes('the clock is far ahead'));

test('a clock that is years ahead for a moment does not empty the trash', async () => {
  const id = await trashedLink('kept');
  server.app.startJobs();
  clock.jump(5 * 365 * day);
  await expect.poll(warned).toBe(true);
  await letJobsRun();
  expect(isThere(id)).toBe(true);
  clock.jump(-5 * 365 * day);
  const undone = await server.request('POST', '/api/urls/bulk', { body: { ids: [id], action: 'restore' } });
  expect(undone.body.data.rows).toEqual([{ id, outcome: 'done' }]);
  const followed = await server.request('GET', '/kept', { key: null });
  expect(followed.headers.get('location')).toBe('https://example.com/kept');
});

test('nor does one that is ahead at the start', async () => {
  const id = await trashedLink('kept');
  server.app.startJobs();
  clock.advance(2 * hour);
  await expect.poll(() => server.databases.main.prepare('SELECT count(*) FROM clock').pluck().get()).toBe(1);
  await server.close();
  clock.jump(5 * 365 * day);
  await start();
  clock.advance(2 * hour);
  await expect.poll(warned).toBe(true);
  await letJobsRun();
  expect(isThere(id)).toBe(true);
});

test('a clock that continues for a day from its new time is trusted, also over a restart', async () => {
  const id = await trashedLink('old');
  await server.close();
  // Nobody used this instance for a year.
  clock.jump(365 * day);
  await start();
  clock.advance(2 * hour);
  await expect.poll(warned).toBe(true);
  await server.close();
  clock.advance(12 * hour);
  await start();
  clock.advance(2 * hour);
  await expect.poll(warned).toBe(true);
  await letJobsRun();
  expect(isThere(id)).toBe(true);
  clock.advance(13 * hour);
  await expect.poll(() => isThere(id), { timeout: 5_000 }).toBe(false);
});

test('what is 30 days old is deleted on time while the server runs', { timeout: 30_000 }, async () => {
  const id = await trashedLink('old');
  server.app.startJobs();
  const seen = server.databases.main.prepare('SELECT trusted_at FROM clock').pluck();
  for (let days = 0; days < 30; days += 1) {
    expect(isThere(id)).toBe(true);
    clock.advance(day);
    const asked = clock.now();
    await expect.poll(() => seen.get(), { timeout: 5_000, interval: 20 }).toBe(asked);
  }
  clock.advance(2 * hour);
  await expect.poll(() => isThere(id), { timeout: 5_000 }).toBe(false);
});

test('the clock is read every minute but recorded once an hour, since each write waits for the disk', () => {
  let now = 1_000 * day;
  const database = openInMemory(migrations);
  const asked = deletionClock({ database, now: () => now, log: { warn: () => {}, info: () => {} } });
  const written = database.prepare('SELECT total_changes()').pluck();
  const before = Number(written.get());
  for (let minutes = 0; minutes < 180; minutes += 1) {
    expect(asked.isTrusted()).toBe(true);
    now += 60_000;
  }
  expect(Number(written.get()) - before).toBe(3);
  now += 30 * day;
  expect(asked.isTrusted()).toBe(false);
  expect(asked.doubtedSince()).toBe(now);
  now -= 30 * day;
  expect(asked.isTrusted()).toBe(true);
});
