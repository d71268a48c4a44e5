import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setUpAccount, spawnServer } from '../support/spawned-server.ts';
import { fillAtScale } from './scale-data.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '../../out/main/server.js');
/** The number of links for a database of a gigabyte, and for a few dozen megabytes with `--quick`. */
const sizes = { whole: { links: 550_000, leastBytes: 1e9 }, quick: { links: 20_000, leastBytes: 0 } };
/** How long its restore may take (F-14). */
const wantedMs = 60_000;

interface Options {
  /** An empty folder. */
  folder: string;
  /** Restores a small backup: shows that it works, but its duration says nothing about a gigabyte. */
  isQuick: boolean;
  print: (line: string) => void;
}

/**
 * Restores a backup of a gigabyte to an empty data folder with the command, as after the loss of a machine. Prints how
 * long it took until a link of the backup was answered; true if that is at most a minute.
 */
export async function measureRestore({ folder, isQuick, print }: Options): Promise<boolean> {
  const { links, leastBytes } = isQuick ? sizes.quick : sizes.whole;
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const first = await spawnServer(data);
  await setUpAccount(first);
  await first.stop();
  const file = join(data, 'waypost.sqlite');
  fillAtScale(file, links, Date.now());
  const bytes = statSync(file).size;
  if (bytes < leastBytes) throw new Error(`the database has only ${bytes} bytes: raise the number of links`);
  const archive = join(folder, 'backup.tar.gz');
  await waypost('backup', '--data', data, '--to', archive);
  rmSync(data, { recursive: true });
  const restored = join(folder, 'restored');
  const startedAt = performance.now();
  await waypost('restore', archive, '--data', restored, '--without-keys');
  const server = await spawnServer(restored);
  try {
    const { status } = await fetch(`${server.origin}/scale1`, { redirect: 'manual' });
    const took = performance.now() - startedAt;
    if (status !== 302) throw new Error(`a restored link answered ${status}`);
    const seconds = (of: number) => `${(of / 1000).toFixed(1)} s`;
    print(`restore of ${(bytes / 1e9).toFixed(2)} GB | took ${seconds(took)}, at most ${seconds(wantedMs)}`);
    return took <= wantedMs;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

function waypost(...args: string[]): Promise<unknown> {
  return run(process.execPath, [program, ...args]);
}
