import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a user-supplied folder and its parents, accessible to their owner only. Returns the topmost folder created,
 * undefined if all existed. Node's recursive mkdir loops forever below /proc, where the system reports ENOENT for
 * folders that cannot be created. Throws the system's error.
 */
export function makeFolders(path: string): string | undefined {
  if (isFolder(path)) return undefined;
  const above = dirname(path);
  const first = above === path ? undefined : makeFolders(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(path)) throw error;
  }
  return first ?? path;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
