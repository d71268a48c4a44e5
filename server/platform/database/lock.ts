import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DatabaseRefused } from './refused.ts';

/** The hold on a data folder; `close` gives it up. */
export interface FolderLock {
  close(): void;
}

/**
 * Takes the lock of a data folder; throws DatabaseRefused `data_in_use` while another process holds it.
 * It holds `BEGIN EXCLUSIVE` on a file of its own: the system gives it up when the process dies, however it dies, so
 * there is no stale lock to clean up.
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
    // A full disk is nobody else's doing.
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
