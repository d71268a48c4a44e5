import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'waypost-tests-';
const gib = 2 ** 30;

/**
 * Creates a temporary folder in memory for tests, most of which start a server that would otherwise wait for the disk
 * on each write. Returns undefined if there is no such file system or too little space. Removes folders left by killed
 * runs.
 */
export function memoryFolder(): string | undefined {
  if (process.platform !== 'linux' || !existsSync(memory)) return undefined;
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) continue;
    try {
      removeFolder(join(memory, name));
    } catch {
      // A killed run may have left a file system mounted there, which must not fail this run.
    }
  }
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < 4 * gib || process.availableMemory() < 8 * gib) return undefined;
  const folder = join(memory, `${prefix}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function removeFolder(folder: string): void {
  // Files written meanwhile by exiting processes must not cause a failure.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}
