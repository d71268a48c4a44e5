import { Worker } from 'node:worker_threads';
import type { Connection } from './connect.ts';

export interface Checkpoints {
  /** Looks how far the write-ahead log has grown, and has it written back by the thread when that is worth it. */
  consider(): void;
  /** Whether so much is waiting that a commit would soon have to write it back: long works then pause. */
  isBehind(): boolean;
  close(): Promise<void>;
}

/** Pages that are not written back yet, beyond which the thread gets to work (SQLite's own default). */
const worthIt = 1000;
/** Pages at which works that can wait do so until the thread has caught up. */
const behind = 8_000;
/** Pages at which a commit writes them back by itself after all: a constant load never lets the thread finish. */
const emergency = 16_000;

/**
 * Writes the write-ahead log of a connection back into the database in a thread of its own. SQLite would do it in the
 * commit that fills a thousand pages, and every redirect would wait for two fsyncs of the disk. The thread starts with
 * the first log that is long enough; a quiet instance has none. `others` are connections to the same file.
 */
export function checkpoints(connection: Connection, ...others: Connection[]): Checkpoints {
  const state = connection.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  let thread: Worker | undefined;
  let running = false;
  let closed = connection.memory;
  if (!closed) writeBackAt(emergency);

  function writeBackAt(pages: number): void {
    for (const each of [connection, ...others]) each.pragma(`wal_autocheckpoint = ${pages}`);
  }

  function waiting(): number {
    const { log = 0, checkpointed = 0 } = state.get() ?? {};
    return log - checkpointed;
  }

  function start(): Worker {
    const worker = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: { file: connection.name },
    });
    worker.unref();
    worker.on('message', () => {
      running = false;
    });
    worker.on('error', giveUp);
    worker.on('exit', giveUp);
    return worker;
  }

  /** Without the thread commits write back as SQLite has it. */
  function giveUp(): void {
    if (closed) return;
    closed = true;
    writeBackAt(worthIt);
  }

  return {
    consider() {
      // It is called after commits, which stand whatever happens here.
      try {
        if (closed || running || waiting() < worthIt) return;
        thread ??= start();
        running = true;
        thread.postMessage('checkpoint');
      } catch {
        // Then commits write back by themselves.
        giveUp();
      }
    },
    isBehind: () => running && waiting() >= behind,
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
}
