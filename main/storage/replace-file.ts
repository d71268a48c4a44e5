import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Writes a small file of the desktop's own whole or not at all, also when the disk is full or the power goes. What lies
 * in its place gives way: a link, whatever it leads to, or a pipe. Throws the system's error.
 */
export function replaceFile(path: string, text: string, mode: number): void {
  makeFolder(dirname(path));
  const beside = `${path}.new`;
  // Of a write that was cut off, or anything else: a pipe there would keep us waiting for ever, and a link lead
  // elsewhere.
  rmSync(beside, { force: true, recursive: true });
  try {
    writeWhole(beside, text, mode);
    renameSync(beside, path);
  } catch (error) {
    // Half a file would keep space from a disk that has none.
    rmSync(beside, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/**
 * Where a link leads, if there is a file; else the path itself. Who keeps settings elsewhere wants them written there.
 */
export function fileBehind(path: string): string {
  try {
    const target = realpathSync(path);
    return statSync(target).isFile() ? target : path;
  } catch {
    // Nothing is there yet, or a link that leads nowhere.
    return path;
  }
}

function writeWhole(path: string, text: string, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    // Of a single write, a disk that fills up takes a part and says nothing.
    writeFileSync(file, text);
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a rename last; Windows has no such thing for folders and needs none. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
