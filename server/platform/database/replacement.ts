import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder, syncTree, writeWhole } from './disk.ts';
import { readSmallFile } from './small-file.ts';

/** Folders in the data folder: where a replacement of its content is prepared, and what it replaced. */
export const replacementFolder = 'restore';
const staged = 'staged';
const replaced = 'replaced';
const order = 'ready.json';

/**
 * What can be replaced. The side files come first: they belong to the old database and must never be combined with the
 * new one.
 */
const sideFiles = ['waypost.sqlite-wal', 'waypost.sqlite-shm'];
const items = ['waypost.sqlite', 'files', 'certificates', 'vault.key', 'instance.json'] as const;

/** Whether a folder contains anything that would be replaced. */
export function holdsContent(folder: string): boolean {
  return [...sideFiles, ...items].some((name) => existsSync(join(folder, name)));
}

/** Creates an empty folder in which the replacement is prepared, with the file names of the data folder. */
export function prepareReplacement(folder: string): string {
  if (isReplacementOrdered(folder)) throw new Error('a replacement is waiting for the next start already');
  const target = join(folder, replacementFolder, staged);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true, mode: 0o700 });
  return target;
}

/** Removes a prepared replacement that was not scheduled. */
export function dropReplacement(folder: string): void {
  if (isReplacementOrdered(folder)) return;
  rmSync(join(folder, replacementFolder, staged), { recursive: true, force: true });
}

/**
 * Schedules the prepared replacement. From now on the new content is authoritative: the next `finishReplacement` puts
 * it in place, however often it is interrupted. `keepReplaced`: whether the old content is kept in `restore/replaced`.
 */
export function orderReplacement(folder: string, { keepReplaced }: { keepReplaced: boolean }): void {
  const source = join(folder, replacementFolder, staged);
  const given = items.filter((name) => existsSync(join(source, name)));
  if (!given.includes('waypost.sqlite')) throw new Error('a replacement without a database');
  syncTree(source);
  syncFolder(join(folder, replacementFolder));
  syncFolder(folder);
  // Leftovers of an earlier replacement would be mistaken for what this one replaces.
  rmSync(join(folder, replacementFolder, replaced), { recursive: true, force: true });
  writeWhole(join(folder, replacementFolder, order), `${JSON.stringify({ items: given, keepReplaced })}\n`);
}

export function isReplacementOrdered(folder: string): boolean {
  return existsSync(join(folder, replacementFolder, order));
}

/**
 * Performs a scheduled replacement while the database is closed; returns whether there was one. Each step is a rename
 * whose completion is visible in the file system, so it can be killed and resumed at any point.
 */
export function finishReplacement(folder: string): boolean {
  if (!isReplacementOrdered(folder)) return false;
  const base = join(folder, replacementFolder);
  const source = join(base, staged);
  const aside = join(base, replaced);
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  for (const name of sideFiles) {
    if (existsSync(join(source, 'waypost.sqlite'))) moveIfThere(join(folder, name), join(aside, name));
  }
  const { names, keepReplaced } = readOrder(base);
  for (const name of names) {
    if (!existsSync(join(source, name))) continue;
    moveIfThere(join(folder, name), join(aside, name));
    renameSync(join(source, name), join(folder, name));
  }
  syncFolder(folder);
  syncFolder(aside);
  rmSync(join(base, order));
  syncFolder(base);
  rmSync(source, { recursive: true, force: true });
  if (!keepReplaced) rmSync(aside, { recursive: true, force: true });
  return true;
}

/** The folder with the content that was replaced last; undefined if there is none. */
export function replacedContent(folder: string): string | undefined {
  const path = join(folder, replacementFolder, replaced);
  return existsSync(path) && !isReplacementOrdered(folder) ? path : undefined;
}

function readOrder(base: string): { names: string[]; keepReplaced: boolean } {
  const read = JSON.parse(readSmallFile(join(base, order))) as {
    items?: unknown;
    keepReplaced?: unknown;
  };
  const wanted = Array.isArray(read.items) ? read.items : [];
  // Only known names, whatever the file contains.
  return { names: items.filter((name) => wanted.includes(name)), keepReplaced: read.keepReplaced !== false };
}

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}
