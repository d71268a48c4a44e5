import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseRefused } from './refused.ts';

/** What this program keeps in its data folder, by what it has to be. A link to one is as good. */
const files = [
  'instance.json',
  'instance.lock',
  'soundness.json',
  'vault.key',
  'vault.key.new',
  'waypost.sqlite',
  'waypost.sqlite-wal',
  'waypost.sqlite-shm',
];
const folders = ['certificates', 'files', 'files/tmp', 'restore'];

/**
 * Refuses a data folder in which something else has the place of a file or folder of ours, before anything is opened: a
 * pipe would keep the start waiting for ever, a folder end it in words for programmers. Throws DatabaseRefused.
 */
export function checkPlaces(folder: string): void {
  refuseOther(folder, 'folder', (path) => `${path} is no folder. Name another data folder, or move it away.`);
  const wrong = (path: string, wanted: string) =>
    `${path} is no ${wanted}, so the data folder cannot be used. Move it away; what belonged there is in your newest backup.`;
  for (const name of files) refuseOther(join(folder, name), 'file', (path) => wrong(path, 'file'));
  for (const name of folders) refuseOther(join(folder, name), 'folder', (path) => wrong(path, 'folder'));
}

/**
 * Makes the data folder if it is missing, and refuses one in which this user may not write: on a disk that is read-only, or
 * with files of another user, as a start by `sudo` leaves them. SQLite would say that it cannot open the file, and a
 * start after that would fare no better. Throws DatabaseRefused.
 */
export function makeFolder(folder: string): void {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw asUnwritable(error, folder);
  }
  refuseUnwritable(folder, R_OK | W_OK | X_OK);
  for (const name of folders) refuseUnwritable(join(folder, name), R_OK | W_OK | X_OK);
  for (const name of files) refuseUnwritable(join(folder, name), R_OK | W_OK);
}

function refuseUnwritable(path: string, access: number): void {
  try {
    accessSync(path, access);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw asUnwritable(error, path);
  }
}

function asUnwritable(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // Of a folder below one that is read-only, Node says ENOENT when it should make all that is missing.
  if (!['EACCES', 'ENOENT', 'EPERM', 'EROFS'].includes(code ?? '')) return error;
  const why = code === 'EROFS' ? 'the disk is read-only' : 'its permissions do not allow it';
  return new DatabaseRefused(
    'data_unwritable',
    `Waypost cannot write to ${path}${code === 'ENOENT' ? '' : `, because ${why}`}. Give the user that runs it access to that place, or choose another data folder.`,
  );
}

function refuseOther(path: string, wanted: 'file' | 'folder', message: (path: string) => string): void {
  let facts: ReturnType<typeof statSync>;
  try {
    facts = statSync(path, { throwIfNoEntry: false });
  } catch {
    // Below something that is no folder, which is told of that, or not for us to look at, which opening it tells.
    return;
  }
  if (!facts || (wanted === 'file' ? facts.isFile() : facts.isDirectory())) return;
  throw new DatabaseRefused('database_damaged', message(path));
}
