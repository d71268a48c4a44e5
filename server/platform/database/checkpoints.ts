import { Worker } from 'node:worker_threads';
import type { Connection } from './connect.ts';

export interface Checkpoints {
  /** Checks the size of the write-ahead log, and has the thread write it back if it is large enough. */
  consider(): void;
  /**
   * Whether the backlog is so large that a commit would soon have to write it back itself: long-running work then
   * pauses.
   */
  isBehind(): boolean;
  /**
   * Whether the thread is writing back the last pages of a long log, which takes a few milliseconds: commits that can
   * wait should wait, as the log is reset only if nothing was added meanwhile.
   */
  isEnding(): boolean;
  close(): Promise<void>;
}

interface Options {
  /** Connections to the same file. */
  others?: readonly Connection[];
  /** How long commits wait for the end of a long log; tests give a slow disk more time. */
  endingMs?: number;
}

/** Pages waiting to be written back before the thread starts (SQLite's own default). */
const worthIt = 1000;
/** Pages at which deferrable work waits for the thread to catch up. */
const behind = 8_000;
/** Pages of a log that was written back repeatedly but never reset: commits are then asked to wait. */
const long = 8_000;
/**
 * How long they wait at most, and once more for each so many pages that the log has grown by since: on a busy disk a
 * short wait is not enough, and the commit that writes the log back itself would take longer.
 */
const usualEndingMs = 8;
const pagesPerWait = 4_000;
/** The pause afterwards if the disk is too slow. */
const betweenMs = 250;
/** Pages of a log at which a commit writes it back itself after all, and everyone waits for the disk. */
const emergency = 32_000;

/**
 * Writes the write-ahead log of a connection back into the database in a worker thread. SQLite would do so in the
 * commit that reaches a thousand pages, and every redirect would wait for two fsyncs. The thread starts with the first
 * log that is long enough; an idle instance has none.
 */
export function checkpoints(
  connection: Connection,
  { others = [], endingMs = usualEndingMs }: Options = {},
): Checkpoints {
  const state = connection.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  let thread: Worker | undefined;
  let running = false;
  let isPreparing = false;
  let ending: NodeJS.Timeout | undefined;
  let isPaused = false;
  /** Pages that were waiting at the last check: a check costs a tenth of a slice. */
  let pages = 0;
  let closed = connection.memory;
  if (!closed) writeBackAt(emergency);

  function writeBackAt(pages: number): void {
    for (const each of [connection, ...others]) each.pragma(`wal_autocheckpoint = ${pages}`);
  }

  /** How many pages the log has, and how many of them are not written back. */
  function look(): { log: number; waiting: number } {
    const { log = 0, checkpointed = 0 } = state.get() ?? {};
    return { log, waiting: log - checkpointed };
  }

  /** How long the log is if some of it has not been written back, otherwise 0. */
  function unfinished(): number {
    try {
      const { log, waiting } = look();
      return waiting > 0 ? log : 0;
    } catch {
      giveUp();
      return 0;
    }
  }

  function start(): Worker {
    const worker = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: { file: connection.name },
    });
    worker.unref();
    worker.on('message', finishRound);
    worker.on('error', giveUp);
    worker.on('exit', giveUp);
    return worker;
  }

  function finishRound(): void {
    running = false;
    stopWaiting();
    const isPrepared = isPreparing;
    isPreparing = false;
    if (closed || (isPaused && !isPrepared)) return;
    // The thread only knows the pages that existed when it started. Later commits keep the log from being reset, and it
    // would grow until a commit had to write it back.
    const pages = unfinished();
    if (pages < long) return;
    if (isPrepared) waitForEnd(pages);
    else prepareEnd();
  }

  /** One more round, during which only visits are committed: what they add is little, and is written back quickly. */
  function prepareEnd(): void {
    isPreparing = true;
    isPaused = true;
    setTimeout(() => {
      isPaused = false;
    }, betweenMs).unref();
    writeBack();
  }

  function waitForEnd(pages: number): void {
    ending = setTimeout(stopWaiting, endingMs * Math.ceil((pages - long + 1) / pagesPerWait));
    ending.unref();
    writeBack();
  }

  function stopWaiting(): void {
    clearTimeout(ending);
    ending = undefined;
  }

  function writeBack(): void {
    thread ??= start();
    running = true;
    thread.postMessage('checkpoint');
  }

  /** Without the thread, commits write back as SQLite does by default. */
  function giveUp(): void {
    stopWaiting();
    if (closed) return;
    closed = true;
    writeBackAt(worthIt);
  }

  return {
    consider() {
      // This is called after commits, which must not be affected by errors here.
      try {
        if (closed) return;
        pages = look().waiting;
        if (!running && pages >= worthIt) writeBack();
      } catch {
        // Commits then write back themselves.
        giveUp();
      }
    },
    isBehind: () => running && (isPreparing || ending !== undefined || pages >= behind),
    isEnding: () => ending !== undefined,
    async close() {
      closed = true;
      stopWaiting();
      await thread?.terminate();
    },
  };
}
