import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Puts a file's content on the disk for good. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Puts the names in a folder on the disk for good: what was made, renamed or removed in it. */
export function syncFolder(path: string): void {
  // Windows opens no folder this way, and its file system keeps renames in its journal.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Puts a folder with all that is in it on the disk for good. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncFile(path);
  }
  syncFolder(folder);
}

/**
 * Replaces a small file as a whole, on the disk before this returns: it is the old one or the new one at any moment.
 * What an earlier attempt left, or somebody put there for it to follow, is removed and not written to.
 */
export function writeWhole(path: string, content: string): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, path);
  syncFolder(dirname(path));
}
