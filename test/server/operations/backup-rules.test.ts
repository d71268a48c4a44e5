import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outdated } from '../../../server/operations/backup/rotation.ts';
import { isDue, lastDue, nextDue } from '../../../server/operations/backup/schedule.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { openDatabases } from '../../../server/platform/database/open.ts';
import { startApp } from '../../support/app.ts';
import { whenIdle } from '../../support/backups.ts';
import { testClock } from '../../support/clock.ts';

const day = 86_400_000;
const rules = { keepDaily: 7, keepWeekly: 4, timezone: 'UTC' };

function kept(
  created: number,
  more: { restorable?: boolean; kind?: 'scheduled' | 'manual' | 'before-restore' } = {},
) {
  return { id: created, created, kind: 'scheduled' as const, restorable: true, ...more };
}

test('of daily backups over a year, the last seven days and four weeks are kept', () => {
  let backups: ReturnType<typeof kept>[] = [];
  const start = Date.UTC(2027, 0, 1, 2);
  for (let number = 0; number < 365; number += 1) {
    backups.push(kept(start + number * day));
    const old = new Set(outdated(backups, rules));
    backups = backups.filter(({ id }) => !old.has(id));
  }
  const ages = backups
    .map(({ created }) => (start + 364 * day - created) / day)
    .sort((one, other) => one - other);
  expect(ages.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(ages).toHaveLength(11);
  // One of each week: the week that the daily ones reach into, and the Sundays of those before it.
  const weeks = ages.slice(7);
  const apart = weeks.slice(1).map((age, index) => age - (weeks[index] ?? 0));
  expect(apart[0]).toBeLessThanOrEqual(7);
  expect(apart.slice(1)).toEqual([7, 7]);
});

test('backups that do not restore displace none that do, and are removed themselves', () => {
  const start = Date.UTC(2027, 0, 1, 2);
  const good = kept(start);
  const bad = Array.from({ length: 20 }, (_, number) =>
    kept(start + (number + 1) * day, { restorable: false }),
  );
  expect(outdated([good, ...bad], rules)).toEqual([]);
  const later = kept(start + 30 * day);
  expect(new Set(outdated([good, ...bad, later], rules))).toEqual(new Set(bad.map(({ id }) => id)));
});

test('manual backups stay, and of those before a restore the newest three', () => {
  const start = Date.UTC(2027, 0, 1, 2);
  const manual = Array.from({ length: 30 }, (_, number) => kept(start + number * day, { kind: 'manual' }));
  expect(outdated(manual, rules)).toEqual([]);
  const before = Array.from({ length: 5 }, (_, number) => kept(start + number, { kind: 'before-restore' }));
  expect(outdated(before, rules)).toEqual([start + 1, start]);
});

test('the daily backup is due once a day at its hour, even after a clock change or sleep', () => {
  const zone = 'Europe/Berlin';
  const noon = Date.UTC(2027, 2, 27, 11);
  const last = lastDue(noon, 3, zone);
  expect(new Date(last).toISOString()).toBe('2027-03-27T02:00:00.000Z');
  expect(new Date(nextDue(noon, 3, zone)).toISOString()).toBe('2027-03-28T01:00:00.000Z');
  expect(isDue(noon, undefined, 3, zone)).toBe(true);
  expect(isDue(noon, last + 1000, 3, zone)).toBe(false);
  expect(isDue(noon + day, last + 1000, 3, zone)).toBe(true);
  expect(isDue(noon + 40 * day, last + 1000, 3, zone)).toBe(true);
  expect(isDue(noon - 2 * day, last + 1000, 3, zone)).toBe(false);
});

test('the scheduled backup is created automatically when due, and not twice', async () => {
  const clock = testClock();
  const server = await startApp({ clock });
  try {
    const list = async () => (await server.request('GET', '/api/backups')).body.data;
    await server.app.runBackupSchedule();
    expect(await whenIdle(server)).toBeNull();
    await server.app.runBackupSchedule();
    expect((await list()).backups).toMatchObject([{ kind: 'scheduled', state: 'restorable' }]);
    expect((await list()).next).toBe('2027-01-16 02:00:00');
    clock.advance(day);
    await server.app.runBackupSchedule();
    await whenIdle(server);
    expect((await list()).backups).toHaveLength(2);
    await server.request('PUT', '/api/settings', { body: { backup: { enabled: false } } });
    clock.advance(day);
    await server.app.runBackupSchedule();
    expect((await list()).backups).toHaveLength(2);
    expect((await list()).next).toBeNull();
  } finally {
    await server.close();
  }
});

test('a backup folder can be configured, and one that cannot be created is refused', {
  tags: 'long',
}, async () => {
  const server = await startApp();
  const elsewhere = mkdtempSync(join(tmpdir(), 'waypost-elsewhere-'));
  try {
    const set = (folder: string | null) =>
      server.request('PUT', '/api/settings', { body: { backup: { folder } } });
    expect((await set('backups')).status).toBe(400);
    expect((await set(join(elsewhere, 'kept'))).status).toBe(200);
    await server.request('POST', '/api/backup/add');
    await whenIdle(server);
    expect(readdirSync(join(elsewhere, 'kept')).filter((name) => name.endsWith('.tar.gz'))).toHaveLength(1);
    await set('/proc/nowhere/backups');
    expect((await server.request('POST', '/api/backup/add')).body).toMatchObject({ code: 'folder_unusable' });
  } finally {
    await server.close();
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

test('the passphrase is stored encrypted and never shown', async () => {
  const server = await startApp();
  try {
    const passphrase = 'seven wet otters';
    expect(
      (await server.request('PUT', '/api/backup/passphrase', { body: { passphrase: 'short' } })).status,
    ).toBe(400);
    await server.request('PUT', '/api/backup/passphrase', { body: { passphrase } });
    const shown = [await server.request('GET', '/api/backups'), await server.request('GET', '/api/settings')];
    const stored = server.databases.main.prepare('SELECT * FROM settings').all();
    const audit = server.databases.main.prepare('SELECT * FROM audit').all();
    expect(shown[0]?.body.data.passphrase).toBe(true);
    expect(JSON.stringify([shown.map(({ body }) => body), stored, audit, server.logLines()])).not.toContain(
      'otters',
    );
    await server.request('PUT', '/api/backup/passphrase', { body: { passphrase: null } });
    expect((await server.request('GET', '/api/backups')).body.data.passphrase).toBe(false);
  } finally {
    await server.close();
  }
});

test('before each upgrade a verified copy of the database is made, and the newest three are kept (F-12)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-update-'));
  try {
    const open = (count: number, at: number) =>
      openDatabases({
        folder,
        migrations: migrations.slice(0, count),
        newId: () => 'id',
        now: () => at,
      }).close();
    expect(migrations.length).toBeGreaterThan(4);
    for (let count = 1; count <= migrations.length; count += 1) open(count, Date.UTC(2027, 0, count));
    const copies = readdirSync(join(folder, 'snapshots')).sort();
    expect(copies).toHaveLength(3);
    const before = String(migrations.at(-2)?.version).padStart(4, '0');
    expect(copies.at(-1)).toContain(`before-migration-${before}-`);
    expect(existsSync(join(folder, 'snapshots', `${copies[0]}.new`))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
