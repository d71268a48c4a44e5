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
 * Writes a small file atomically, also if the disk is full or the power fails. Replaces whatever is at the path,
 * including links and pipes. Throws the system's error.
 */
export function replaceFile(path: string, text: string, mode: number): void {
  makeFolder(dirname(path));
  const beside = `${path}.new`;
  // A leftover of an interrupted write, or anything else: opening a pipe would block, and a link would write elsewhere.
  rmSync(beside, { force: true, recursive: true });
  try {
    writeWhole(beside, text, mode);
    renameSync(beside, path);
  } catch (error) {
    // Free the space of the partial file.
    rmSync(beside, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/**
 * The target of a link if that is an existing file, else the path itself, so that settings kept elsewhere are updated
 * there.
 */
export function fileBehind(path: string): string {
  try {
    const target = realpathSync(path);
    return statSync(target).isFile() ? target : path;
  } catch {
    // Not found, or a dangling link.
    return path;
  }
}

function writeWhole(path: string, text: string, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    // `writeFileSync` loops: a single write to a full disk may be partial without an error.
    writeFileSync(file, text);
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a rename durable; Windows neither supports nor needs this for folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
