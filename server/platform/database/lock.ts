import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DatabaseRefused } from './refused.ts';

/** The lock on a data folder; `close` releases it. */
export interface FolderLock {
  close(): void;
}

/**
 * Locks a data folder; throws DatabaseRefused `data_in_use` while another process holds the lock. It holds `BEGIN
 * EXCLUSIVE` on a separate file: the system releases it when the process ends in any way, so there are no stale locks.
 */
export function lockFolder(folder: string): FolderLock {
  const lock = new Database(join(folder, 'instance.lock'));
  lock.pragma('busy_timeout = 0');
  try {
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    // A full disk does not mean that another process holds the lock.
    if (!isBusy(error)) throw error;
    throw new DatabaseRefused(
      'data_in_use',
      `Another Waypost already uses the data folder ${folder}. Stop it and start this one again, or choose another data folder.`,
    );
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
