import { lstatSync, renameSync } from 'node:fs';
import { basename } from 'node:path';

/** How many files are kept beside; a program that damages a file at each start must not fill the disk. */
const mostKept = 20;

/** Puts a file out of the way without overwriting what was put there before; says in a sentence where it is. */
export function setAside(path: string): string {
  const names = [`${path}.damaged`];
  for (let number = 2; number <= mostKept; number += 1) names.push(`${path}.damaged.${number}`);
  try {
    // A link that leads nowhere takes its name, too.
    const free = names.find((name) => !lstatSync(name, { throwIfNoEntry: false })) ?? names.at(-1) ?? '';
    renameSync(path, free);
    return `It was moved to ${basename(free)}.`;
  } catch {
    // A folder that we may not write to. The start goes on with what there is.
    return 'It could not be moved aside either; check the permissions of that folder.';
  }
}
