import { Worker } from 'node:worker_threads';
import type { ReadReply, ReadRequest, Value } from './reader-thread.ts';

/** One statement with its bound values. */
export interface Read {
  sql: string;
  values: readonly Value[];
}

export interface Reader {
  /** Runs statements in a thread of its own, all on the same state of the database, and returns the rows of each. */
  read(reads: readonly Read[]): Promise<Record<string, Value>[][]>;
  close(): Promise<void>;
}

/**
 * A read-only connection in a worker thread, for reads that may take long: a redirect never waits for them. The thread
 * is started by the first read, and again when it died; it does not keep the process alive.
 */
export function reader(file: string): Reader {
  let thread: Worker | undefined;
  let nextId = 1;
  let closed = false;
  const waiting = new Map<
    number,
    { resolve: (rows: Record<string, Value>[][]) => void; reject: (error: Error) => void }
  >();

  function start(): Worker {
    const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), { workerData: { file } });
    worker.unref();
    worker.on('message', (reply: ReadReply) => {
      const asked = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (waiting.size === 0) worker.unref();
      if ('rows' in reply) asked?.resolve(reply.rows);
      else asked?.reject(new Error(`a read failed: ${reply.error}`));
    });
    worker.on('error', () => abandon(worker));
    worker.on('exit', () => abandon(worker));
    return worker;
  }

  function abandon(worker: Worker): void {
    if (worker !== thread) return;
    thread = undefined;
    const left = [...waiting.values()];
    waiting.clear();
    for (const { reject } of left) reject(new Error('the thread for long reads ended'));
  }

  return {
    read(reads) {
      if (closed) return Promise.reject(new Error('the reader is closed'));
      thread ??= start();
      const worker = thread;
      const id = nextId;
      nextId += 1;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        // While somebody waits for rows the process must not end.
        worker.ref();
        worker.postMessage({ id, reads } satisfies ReadRequest);
      });
    },
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
}
