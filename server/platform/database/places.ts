import { accessSync, constants, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from './make-folders.ts';
import { DatabaseRefused } from './refused.ts';

/** The entries of a data folder and their expected types. A link to one is accepted. */
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
 * Rejects a data folder in which one of our files or folders has the wrong type, before anything is opened: a pipe
 * would block the start forever, and a folder would end it with a cryptic error. Throws DatabaseRefused.
 */
export function checkPlaces(folder: string): void {
  refuseOther(folder, 'folder', (path) => `${path} is no folder. Name another data folder, or move it away.`);
  const wrong = (path: string, wanted: string) =>
    `${path} is no ${wanted}, so the data folder cannot be used. Move it away; what belonged there is in your newest backup.`;
  for (const name of files) refuseOther(join(folder, name), 'file', (path) => wrong(path, 'file'));
  for (const name of folders) refuseOther(join(folder, name), 'folder', (path) => wrong(path, 'folder'));
}

/**
 * Creates the data folder if it is missing, and rejects one that this user cannot write to: a read-only disk, or files
 * of another user, for example after a start with `sudo`. SQLite would only report that it cannot open the file, as
 * would every later start. Returns the topmost folder created, if any. Throws DatabaseRefused.
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
/** Why a path is not writable, from the system's error. Later starts would fail in the same way. */
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
  // If nothing can be created, as below /proc, the system reports ENOENT for a folder whose parent exists.
  if (why === undefined && code !== 'ENOENT') return error;
  return new DatabaseRefused(
    'data_unwritable',
    `Waypost cannot write to ${path}${why === undefined ? '' : `, because ${why}`}. Give the user that runs it access to that place, or choose another data folder.`,
  );
}

/** A dangling link usually points to a disk that is not connected: nothing may be created in its place. */
function refuseLost(path: string): void {
  let target: string;
  try {
    target = readlinkSync(path);
  } catch {
    // Not a link: nothing exists there yet.
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
    // Either a parent is not a folder, or access is denied; both are reported elsewhere.
    return;
  }
  if (!facts) {
    refuseLost(path);
    return;
  }
  if (wanted === 'file' ? facts.isFile() : facts.isDirectory()) return;
  throw new DatabaseRefused('database_damaged', message(path));
}
