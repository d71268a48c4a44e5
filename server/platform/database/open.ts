import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { applicationId, type Connection, checkPragmas, connect } from './connect.ts';
import { writeWhole } from './disk.ts';
import { isDiskFull, makeRoomToOpen } from './disk-space.ts';
import { lockFolder } from './lock.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migration.ts';
import { checkPlaces, makeFolder } from './places.ts';
import { findFaultAtOnce } from './quick-check.ts';
import { DatabaseRefused, isDamage } from './refused.ts';
import { finishReplacement } from './replacement.ts';
import { readSmallFile } from './small-file.ts';
import { mustLookFirst, noteSound, wasLeftOpen } from './soundness.ts';

export interface Databases {
  /** Connection A, `synchronous=FULL`: all user data. An acknowledged write survives a power failure. */
  readonly main: Connection;
  /** Connection B, `synchronous=NORMAL`: the click log. An answered click survives a crash of the process. */
  readonly clicks: Connection;
  readonly file: string;
  /** Whether the previous process ended without closing the database. */
  readonly leftOpen: boolean;
  /** The identity of this data folder, created once; clients store it with their keys. */
  readonly instanceId: string;
  close(): void;
}

interface Options {
  /** The data folder; created if missing. */
  folder: string;
  migrations: Migration[];
  newId: () => string;
  now: () => number;
}

/**
 * Opens the database of a data folder: locks the folder, puts a restored backup in place, rejects a folder that is not
 * writable and a database that is missing, foreign, newer or known to be damaged, migrates the schema and verifies
 * every pragma. Throws DatabaseRefused with a message for the administrator.
 */
export function openDatabases({ folder, migrations, newId, now }: Options): Databases {
  checkPlaces(folder);
  makeFolder(folder);
  const file = join(folder, 'waypost.sqlite');
  // This comes first: on a full disk not even the lock can be taken.
  makeRoomToOpen(folder);
  const lock = takeLock(folder);
  try {
    // A restore that was scheduled before the last stop, clean or not.
    finishReplacement(folder);
    const known = readMarker(folder, file);
    // Only this user may read it; SQLite creates its side files with the same mode.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    const leftOpen = wasLeftOpen(file);
    const main = connect(file, 'FULL');
    try {
      checkHealth(main, { folder, file, now });
      main.pragma(`application_id = ${applicationId}`);
      migrate(main, { migrations, folder, now });
      checkPragmas(main, 2);
      const clicks = connect(file, 'NORMAL');
      checkPragmas(clicks, 1);
      // This comes last, so that an interrupted first start is not mistaken for a lost database.
      const instanceId = known ?? writeMarker(folder, newId(), now());
      return {
        main,
        clicks,
        file,
        leftOpen,
        instanceId,
        close() {
          clicks.close();
          main.pragma('wal_checkpoint(TRUNCATE)');
          main.close();
          lock.close();
        },
      };
    } catch (error) {
      main.close();
      throw asRefusal(error, folder);
    }
  } catch (error) {
    lock.close();
    throw asRefusal(error, folder);
  }
}

function takeLock(folder: string): ReturnType<typeof lockFolder> {
  try {
    return lockFolder(folder);
  } catch (error) {
    throw asRefusal(error, folder);
  }
}

/** The instance's id, if this folder was used before. Throws if its database is missing. */
function readMarker(folder: string, file: string): string | undefined {
  const known = readInstance(join(folder, 'instance.json'));
  const databaseThere = existsSync(file) && statSync(file).size > 0;
  if (known && !databaseThere) {
    throw new DatabaseRefused(
      'database_damaged',
      `The database in the data folder ${folder} is missing or empty. Restore a backup, or delete instance.json to start over.`,
    );
  }
  return known;
}

function writeMarker(folder: string, id: string, now: number): string {
  const marker = { id, created: new Date(now).toISOString() };
  writeWhole(join(folder, 'instance.json'), `${JSON.stringify(marker)}\n`);
  return id;
}

function readInstance(marker: string): string | undefined {
  if (!existsSync(marker)) return undefined;
  try {
    const parsed: unknown = JSON.parse(readSmallFile(marker));
    if (typeof parsed === 'object' && parsed !== null && 'id' in parsed && typeof parsed.id === 'string')
      return parsed.id;
  } catch {
    // A truncated or oversized file is treated like one without an id.
  }
  throw new DatabaseRefused(
    'database_damaged',
    `The file ${marker} cannot be read. Restore it from a backup.`,
  );
}

/**
 * Whether the file is ours, and intact as far as can be checked during a start; the rest is checked in the background.
 */
function checkHealth(
  connection: Connection,
  { folder, file, now }: { folder: string; file: string; now: () => number },
): void {
  const id = connection.pragma('application_id', { simple: true });
  const version = connection.pragma('user_version', { simple: true });
  if (version === 0 && id === 0) return;
  if (id !== applicationId) {
    throw new DatabaseRefused('database_damaged', `The database in ${folder} was not created by Waypost.`);
  }
  if (!mustLookFirst(folder, file)) return;
  const fault = findFaultAtOnce(connection);
  if (fault !== undefined) {
    throw new DatabaseRefused(
      'database_damaged',
      `The database in ${folder} is damaged (${fault}). Restore a backup; the damaged file is left as it is.`,
    );
  }
  noteSound(folder, now());
}

/** Turns SQLite's codes for "not a database", "malformed" and "full" into readable messages. */
function asRefusal(error: unknown, folder: string): unknown {
  if (isDiskFull(error)) {
    const why = 'The disk is full. Free some space and start again; nothing was lost.';
    return new Error(why, { cause: error });
  }
  if (!isDamage(error)) return error;
  return new DatabaseRefused(
    'database_damaged',
    `The database in ${folder} is damaged. Restore a backup; the damaged file is left as it is.`,
  );
}
