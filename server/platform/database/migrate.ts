import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { openReader } from './connect.ts';
import { syncFile, syncFolder } from './disk.ts';
import { isDiskFull } from './disk-space.ts';
import type { Migration } from './migration.ts';
import { DatabaseRefused } from './refused.ts';

/**
 * The migrations of this program in order, from `{path: sql}` as the bundler reads the folder. Throws if two have the
 * same number: a database that stopped between them would never get the second.
 */
export function readMigrations(files: Record<string, string>): Migration[] {
  const migrations = Object.entries(files)
    .map(([path, sql]) => {
      const name = path.split('/').at(-1) ?? path;
      return { version: Number(name.slice(0, 4)), name, sql };
    })
    .sort((one, other) => one.version - other.version);
  for (const [index, { version, name }] of migrations.entries()) {
    const before = migrations[index - 1];
    if (before?.version === version) throw new Error(`${before.name} and ${name} have the same number`);
  }
  return migrations;
}

interface Options {
  migrations: Migration[];
  folder: string;
  now: () => number;
}

/**
 * Migrates a database to the newest schema, one transaction per migration, after making and verifying a snapshot. A
 * new database needs no snapshot. Throws DatabaseRefused if the database is newer than this program, and an error with
 * a readable message if the disk is full: earlier migrations are kept, and the next start continues.
 */
export function migrate(connection: Database.Database, { migrations, folder, now }: Options): void {
  const current = Number(connection.pragma('user_version', { simple: true }));
  const newest = migrations.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new DatabaseRefused(
      'database_newer',
      `The database in ${folder} was written by a newer Waypost. Update this program; nothing was changed.`,
    );
  }
  const pending = migrations.filter((migration) => migration.version > current);
  if (pending.length === 0) return;
  try {
    if (current > 0) snapshot(connection, folder, current, now());
    applyMigrations(connection, pending);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new Error(
      'The disk is full, and an update of the database needs about twice its size for a moment. Free some space and start again; nothing was lost.',
      { cause: error },
    );
  }
}

/** Runs migrations, one transaction each, so that a crash leaves the schema before or after one of them. */
export function applyMigrations(connection: Database.Database, pending: readonly Migration[]): void {
  for (const migration of pending) {
    connection
      .transaction(() => {
        connection.exec(migration.sql);
        connection.pragma(`user_version = ${migration.version}`);
      })
      .immediate();
  }
}

/** A folder in the data folder: copies of the database from before a migration. */
const snapshotFolder = 'snapshots';
const snapshotsKept = 3;

function snapshot(connection: Database.Database, folder: string, version: number, at: number): void {
  const snapshots = join(folder, snapshotFolder);
  mkdirSync(snapshots, { recursive: true, mode: 0o700 });
  const stamp = new Date(at).toISOString().replace(/[:.]/g, '-');
  const file = join(snapshots, `before-migration-${String(version).padStart(4, '0')}-${stamp}.sqlite`);
  const draft = `${file}.new`;
  // Before and not after: on a full disk, each start would leave another one.
  removeDrafts(snapshots);
  if (existsSync(file)) rmSync(file);
  try {
    connection.prepare('VACUUM INTO ?').run(draft);
    checkCopy(draft);
    syncFile(draft);
  } catch (error) {
    removeDrafts(snapshots);
    throw error;
  }
  // Only verified copies get this name.
  renameSync(draft, file);
  syncFolder(snapshots);
  removeOldSnapshots(snapshots);
}

function checkCopy(path: string): void {
  const copy = openReader(path);
  try {
    const verdict = copy.pragma('integrity_check(1)', { simple: true });
    if (verdict !== 'ok') throw new Error(`the snapshot before the migration is damaged: ${String(verdict)}`);
  } finally {
    copy.close();
  }
}

function removeOldSnapshots(snapshots: string): void {
  const names = readdirSync(snapshots).filter((name) => /^before-migration-\d{4}-.+\.sqlite$/.test(name));
  const stampOf = (name: string) => name.slice('before-migration-0000-'.length);
  names.sort((one, other) => (stampOf(one) < stampOf(other) ? 1 : -1));
  for (const name of names.slice(snapshotsKept)) rmSync(join(snapshots, name), { force: true });
}

/** Removes the incomplete files of an interrupted start. */
function removeDrafts(snapshots: string): void {
  for (const name of readdirSync(snapshots)) {
    if (name.includes('.sqlite.new')) rmSync(join(snapshots, name), { force: true });
  }
}
