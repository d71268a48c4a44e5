import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isContentName, type ManifestEntry } from './manifest.ts';
import { BackupRefused } from './refused.ts';

/** The names (`files/…`) of all contents below a data folder, except uploads in progress. */
export function listContents(folder: string): string[] {
  const names: string[] = [];
  function look(name: string): void {
    for (const entry of readdirSync(join(folder, name), { withFileTypes: true })) {
      const path = `${name}/${entry.name}`;
      if (path === 'files/tmp') continue;
      if (entry.isDirectory()) look(path);
      else if (entry.isFile() && isContentName(path)) names.push(path);
    }
  }
  if (existsSync(join(folder, 'files'))) look('files');
  return names.sort();
}

/**
 * Preserves contents while a backup is made: a hard link to each in a separate folder, so that deleting a file does
 * not remove it. Contents never change, so this needs no space. Copies them if the disk does not support hard links.
 */
export function holdContents(folder: string, names: readonly string[], target: string): void {
  for (const name of names) {
    const held = join(target, name);
    if (existsSync(held)) continue;
    mkdirSync(dirname(held), { recursive: true, mode: 0o700 });
    try {
      hold(join(folder, name), held);
    } catch (error) {
      // Deleted since it was listed; whether it is missed is decided by the database.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

function hold(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    copyFileSync(source, target);
  }
}

/** Size and SHA-256 of a file that is not being written, as its entry in a manifest. */
export async function describe(
  name: string,
  path: string,
  onBytes: (bytes: number) => void,
): Promise<ManifestEntry> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
    onBytes(chunk.length);
  }
  return { name, size, sha256: hash.digest('hex') };
}

/** Space that is left to the database and to uploads, whatever a backup needs. */
const floor = 256 * 1024 * 1024;

/** Throws BackupRefused `disk_full` when so many bytes do not fit onto the disk of a folder. */
export function checkSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize - bytes >= floor) return;
  throw new BackupRefused(
    'disk_full',
    `Not enough disk space: ${Math.ceil((bytes + floor) / 1_000_000)} MB are required. Free some and try again.`,
  );
}

export function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
