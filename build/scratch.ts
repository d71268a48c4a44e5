import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'waypost-tests-';
const gib = 2 ** 30;

/**
 * Makes a folder in memory for what tests write: most of them start a server, each write of which waits for the disk
 * otherwise. Returns undefined where there is no such place, or too little of it. What a run that was killed has left
 * there is removed.
 */
export function memoryFolder(): string | undefined {
  if (process.platform !== 'linux' || !existsSync(memory)) return undefined;
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) continue;
    try {
      removeFolder(join(memory, name));
    } catch {
      // A run that was killed may have left a disk mounted there: that is no reason for this one to fail.
    }
  }
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < 4 * gib || process.availableMemory() < 8 * gib) return undefined;
  const folder = join(memory, `${prefix}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function removeFolder(folder: string): void {
  // What a process that is ending writes meanwhile is no reason to stop.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}
