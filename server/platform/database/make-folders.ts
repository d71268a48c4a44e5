import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder that somebody has named, and those above it, for their owner only. Returns the topmost that was made,
 * undefined where all were there. Node's own way to do so never ends below /proc, where the system says of a folder
 * that cannot be made that there is none. Throws the system's error.
 */
export function makeFolders(path: string): string | undefined {
  if (isFolder(path)) return undefined;
  const above = dirname(path);
  const first = above === path ? undefined : makeFolders(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start may have been quicker.
    if (!isFolder(path)) throw error;
  }
  return first ?? path;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
