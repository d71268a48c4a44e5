import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { workerCall } from '../concurrency/worker-call.ts';
import type { Job } from '../jobs/scheduler.ts';
import { writeWhole } from './disk.ts';
import { readSmallFile } from './small-file.ts';

/** The last look at every page of the database: when it ended (UTC milliseconds) and what it found damaged. */
interface LastLook {
  at: number;
  fault: string | null;
}

/** In the data folder: what the last look found. Not in the database, which may not be writable where it is damaged. */
const lookFile = 'soundness.json';
const dayMs = 86_400_000;
/** What the first minute after a start is needed for comes first. */
const firstMs = 30_000;
/** Up to this size a look takes a tenth of a second: the start waits for it, and refuses a damaged file at once. */
const smallFile = 8 * 1024 * 1024;

/** The last look at a data folder's database; undefined where there was none, or nobody can tell. */
function readLastLook(folder: string): LastLook | undefined {
  try {
    const { at, fault } = JSON.parse(readSmallFile(join(folder, lookFile))) as Partial<LastLook>;
    return typeof at === 'number' && (fault === null || typeof fault === 'string')
      ? { at, fault }
      : undefined;
  } catch {
    // Missing or torn: then the next look is due.
    return undefined;
  }
}

function keepLook(folder: string, look: LastLook): void {
  writeWhole(join(folder, lookFile), `${JSON.stringify(look)}\n`);
}

/**
 * Whether a start has to look at the whole file before it serves anything: a small one, and one of which a look beside
 * the work has said that it is damaged.
 */
export function mustLookFirst(folder: string, file: string): boolean {
  return statSync(file).size <= smallFile || typeof readLastLook(folder)?.fault === 'string';
}

/** A look before the start found the file sound: that takes back what was said of the one before it. */
export function noteSound(folder: string, at: number): void {
  if (typeof readLastLook(folder)?.fault === 'string') keepLook(folder, { at, fault: null });
}

/** Whether the last user of a database ended without closing it: the last to close takes the write-ahead log away. */
export function wasLeftOpen(file: string): boolean {
  const log = `${file}-wal`;
  return existsSync(log) && statSync(log).size > 0;
}

export interface Soundness {
  readonly job: Job;
  /** What the last look found damaged; null while the database is sound as far as anybody knows. */
  fault(): string | null;
  close(): Promise<void>;
}

interface Options {
  folder: string;
  file: string;
  /** Whether the server before this one crashed, or the machine did. */
  leftOpen: boolean;
  now: () => number;
  log: Pick<Logger, 'error'>;
}

/**
 * Looks at every page of the database in a thread of its own, once a day and soon after an unclean end. It used to be
 * the first thing of each start, and held everything up for half a minute where the database has two gigabytes.
 */
export function soundness({ folder, file, leftOpen, now, log }: Options): Soundness {
  const { ask, close } = workerCall<'look', string | null>(
    'check of the database',
    () => new Worker(new URL('./soundness-thread.ts', import.meta.url), { workerData: { file } }),
  );
  const last = readLastLook(folder);
  const age = last === undefined || leftOpen ? dayMs : now() - last.at;
  // A look in the future says nothing.
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
          // A look that the end of the server cut short is made after the next start.
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
