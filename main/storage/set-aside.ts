import { lstatSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';

/** How many files are kept beside; a program that damages a file at each start must not fill the disk. */
const mostKept = 5;

/**
 * Puts a file out of the way, beside what was put there before; says in a sentence where it is. Where that is too much,
 * the second oldest goes: the oldest is what was there before anything was damaged, perhaps with the only key.
 */
export function setAside(path: string): string {
  const names = [`${path}.damaged`];
  for (let number = 2; number <= mostKept; number += 1) names.push(`${path}.damaged.${number}`);
  try {
    const free = names.find((name) => !factsOf(name)) ?? makeRoom(names);
    renameSync(path, free);
    return `It was moved to ${basename(free)}.`;
  } catch {
    // A folder that we may not write to. The start goes on with what there is.
    return 'It could not be moved aside either; check the permissions of that folder.';
  }
}

/** Frees the last of the names; throws where that cannot be done. */
function makeRoom(names: readonly string[]): string {
  // A folder was never ours, and what lies in it is nobody's to throw away.
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

/** A link that leads nowhere takes its name, too. */
function factsOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}
