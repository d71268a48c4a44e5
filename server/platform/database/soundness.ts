import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { workerCall } from '../concurrency/worker-call.ts';
import type { Job } from '../jobs/scheduler.ts';
import { writeWhole } from './disk.ts';
import { readSmallFile } from './small-file.ts';

/** The last full check of the database: when it ended (UTC milliseconds) and what damage it found. */
interface LastLook {
  at: number;
  fault: string | null;
}

/**
 * A file in the data folder with the result of the last check. Not in the database, which may not be writable when
 * damaged.
 */
const lookFile = 'soundness.json';
const dayMs = 86_400_000;
/** Work needed in the first minute after a start has priority. */
const firstMs = 30_000;
/**
 * Up to this size a check takes a tenth of a second: the start waits for it, and rejects a damaged file immediately.
 */
const smallFile = 8 * 1024 * 1024;

/** The last check of a data folder's database; undefined if there is none, or it is unknown. */
function readLastLook(folder: string): LastLook | undefined {
  try {
    const { at, fault } = JSON.parse(readSmallFile(join(folder, lookFile))) as Partial<LastLook>;
    return typeof at === 'number' && (fault === null || typeof fault === 'string')
      ? { at, fault }
      : undefined;
  } catch {
    // Missing or truncated: the next check is due.
    return undefined;
  }
}

function keepLook(folder: string, look: LastLook): void {
  writeWhole(join(folder, lookFile), `${JSON.stringify(look)}\n`);
}

/** Whether a start must check the whole file before serving: if it is small, or a background check found it damaged. */
export function mustLookFirst(folder: string, file: string): boolean {
  return statSync(file).size <= smallFile || typeof readLastLook(folder)?.fault === 'string';
}

/** A check before the start found the file intact: this overrides the result of an earlier one. */
export function noteSound(folder: string, at: number): void {
  if (typeof readLastLook(folder)?.fault === 'string') keepLook(folder, { at, fault: null });
}

/**
 * Whether the last process ended without closing the database: the last one to close it removes the write-ahead log.
 */
export function wasLeftOpen(file: string): boolean {
  const log = `${file}-wal`;
  return existsSync(log) && statSync(log).size > 0;
}

export interface Soundness {
  readonly job: Job;
  /** The damage found by the last check; null while the database is intact as far as is known. */
  fault(): string | null;
  close(): Promise<void>;
}

interface Options {
  folder: string;
  file: string;
  /** Whether the previous server process, or the machine, crashed. */
  leftOpen: boolean;
  now: () => number;
  log: Pick<Logger, 'error'>;
}

/**
 * Checks every page of the database in a worker thread, once a day and soon after an unclean end. This used to run
 * before each start, which delayed a two-gigabyte database by half a minute.
 */
export function soundness({ folder, file, leftOpen, now, log }: Options): Soundness {
  const { ask, close } = workerCall<'look', string | null>(
    'check of the database',
    () => new Worker(new URL('./soundness-thread.ts', import.meta.url), { workerData: { file } }),
  );
  const last = readLastLook(folder);
  const age = last === undefined || leftOpen ? dayMs : now() - last.at;
  // A check in the future means nothing.
  const wait = age < 0 ? 0 : dayMs - age;
  let fault = last?.fault ?? null;

  return {
    fault: () => fault,
    close,
    job: {
      name: 'check of the database',
      intervalMs: () => dayMs,
      firstMs: Math.max(firstMs, wait),
      async run(signal) {
        const stop = () => void close();
        signal.addEventListener('abort', stop, { once: true });
        try {
          fault = await ask('look');
        } catch (error) {
          // A check interrupted by the server's shutdown is repeated after the next start.
          if (signal.aborted) return;
          throw error;
        } finally {
          signal.removeEventListener('abort', stop);
        }
        keepLook(folder, { at: now(), fault });
        if (fault === null) return;
        log.error(
          { fault },
          `The database in ${folder} is damaged. Make no changes, stop the server and restore a backup; the next start refuses the damaged file.`,
        );
      },
    },
  };
}
