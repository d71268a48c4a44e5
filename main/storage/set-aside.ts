import { lstatSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';

/** Maximum number of copies kept, so that recurring damage does not fill the disk. */
const mostKept = 5;

/**
 * Renames a damaged file and returns a message saying where it is. Beyond the maximum, the second oldest copy is
 * deleted: the oldest is from before the first damage and may hold the only copy of a key.
 */
export function setAside(path: string): string {
  const names = [`${path}.damaged`];
  for (let number = 2; number <= mostKept; number += 1) names.push(`${path}.damaged.${number}`);
  try {
    const free = names.find((name) => !factsOf(name)) ?? makeRoom(names);
    renameSync(path, free);
    return `It was moved to ${basename(free)}.`;
  } catch {
    // The folder is not writable. The app starts with what it could read.
    return 'It could not be moved aside either; check the permissions of that folder.';
  }
}

/** Returns a free name, deleting a copy if necessary; throws if that is impossible. */
function makeRoom(names: readonly string[]): string {
  // Folders were not created by this app, so they are never deleted.
  const gone = names.findIndex((name, index) => index > 0 && !factsOf(name)?.isDirectory());
  if (gone === -1) throw new Error('every name is taken by a folder');
  let free = names[gone] ?? '';
  rmSync(free, { force: true });
  for (const name of names.slice(gone + 1)) {
    renameSync(name, free);
    free = name;
  }
  return free;
}

/** Uses `lstat`, because a dangling link also occupies its name. */
function factsOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}
