import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseRefused } from './refused.ts';

/** What this program keeps in its data folder, by what it has to be. A link to one is as good. */
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
 * Refuses a data folder in which something else has the place of a file or folder of ours, before anything is opened: a
 * pipe would keep the start waiting for ever, a folder end it in words for programmers. Throws DatabaseRefused.
 */
export function checkPlaces(folder: string): void {
  refuseOther(folder, 'folder', (path) => `${path} is no folder. Name another data folder, or move it away.`);
  const wrong = (path: string, wanted: string) =>
    `${path} is no ${wanted}, so the data folder cannot be used. Move it away; what belonged there is in your newest backup.`;
  for (const name of files) refuseOther(join(folder, name), 'file', (path) => wrong(path, 'file'));
  for (const name of folders) refuseOther(join(folder, name), 'folder', (path) => wrong(path, 'folder'));
}

function refuseOther(path: string, wanted: 'file' | 'folder', message: (path: string) => string): void {
  let facts: ReturnType<typeof statSync>;
  try {
    facts = statSync(path, { throwIfNoEntry: false });
  } catch {
    // Below something that is no folder, which is told of that, or not for us to look at, which opening it tells.
    return;
  }
  if (!facts || (wanted === 'file' ? facts.isFile() : facts.isDirectory())) return;
  throw new DatabaseRefused('database_damaged', message(path));
}
