import { accessSync, constants, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from './make-folders.ts';
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
 * Makes the data folder if it is missing, and refuses one in which this user may not write: on a disk that is
 * read-only, or with files of another user, as a start by `sudo` leaves them. SQLite would say that it cannot open the
 * file, and a start after that would fare no better. Returns the topmost folder that it made, if any. Throws
 * DatabaseRefused.
 */
export function makeFolder(folder: string): string | undefined {
  const { R_OK, W_OK, X_OK } = constants;
  let made: string | undefined;
  try {
    made = makeFolders(folder);
  } catch (error) {
    throw asUnwritable(error, folder);
  }
  refuseUnwritable(folder, R_OK | W_OK | X_OK);
  for (const name of folders) refuseUnwritable(join(folder, name), R_OK | W_OK | X_OK);
  for (const name of files) refuseUnwritable(join(folder, name), R_OK | W_OK);
  return made;
}

function refuseUnwritable(path: string, access: number): void {
  try {
    accessSync(path, access);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw asUnwritable(error, path);
  }
}

const permitted = 'its permissions do not allow it';
const noFolder = 'a part of that path is no folder';
/** Why a place cannot be written, by what the system says. A start after that would fare no better. */
const unwritable: Readonly<Record<string, string | undefined>> = {
  EACCES: permitted,
  EPERM: permitted,
  EROFS: 'the disk is read-only',
  ELOOP: 'its links lead in a circle',
  ENOTDIR: noFolder,
  EEXIST: noFolder,
  ENAMETOOLONG: 'the path is too long',
};

function asUnwritable(error: unknown, path: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const why = unwritable[code];
  // Where nothing can be made, as below /proc, the system says ENOENT of a folder whose parent is there.
  if (why === undefined && code !== 'ENOENT') return error;
  return new DatabaseRefused(
    'data_unwritable',
    `Waypost cannot write to ${path}${why === undefined ? '' : `, because ${why}`}. Give the user that runs it access to that place, or choose another data folder.`,
  );
}

/** A link whose target is gone is mostly one to a disk that is not connected: nothing may be made in its place. */
function refuseLost(path: string): void {
  let target: string;
  try {
    target = readlinkSync(path);
  } catch {
    // No link: nothing is there yet.
    return;
  }
  throw new DatabaseRefused(
    'data_unwritable',
    `${path} is a link to ${target}, which is not there. Connect the disk that it is on, or choose another data folder.`,
  );
}

function refuseOther(path: string, wanted: 'file' | 'folder', message: (path: string) => string): void {
  let facts: ReturnType<typeof statSync>;
  try {
    facts = statSync(path, { throwIfNoEntry: false });
  } catch {
    // Below something that is not a folder, which is told of that, or not for us to look at, which opening it tells.
    return;
  }
  if (!facts) {
    refuseLost(path);
    return;
  }
  if (wanted === 'file' ? facts.isFile() : facts.isDirectory()) return;
  throw new DatabaseRefused('database_damaged', message(path));
}
