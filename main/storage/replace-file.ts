import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a small file of the desktop's own whole or not at all, also when the disk is full or the power goes. Whatever
 * lies in its place, such as a link or a pipe, gives way and is not written through. Throws the system's error.
 */
export function replaceFile(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.new`;
  // Of a write that was cut off, or anything else: a pipe there would keep us waiting for ever, and a link lead elsewhere.
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
