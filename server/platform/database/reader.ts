import { Worker } from 'node:worker_threads';
import { workerCall } from '../concurrency/worker-call.ts';

export type Value = number | string | null;
type Rows = Record<string, Value>[];

/** One statement with its bound values, by place or, in one object, by name. */
export interface Read {
  sql: string;
  values: readonly (Value | Readonly<Record<string, Value | undefined>>)[];
}

export interface Reader {
  /** Runs statements in a thread of its own, all on the same state of the database, and returns the rows of each. */
  read(reads: readonly Read[]): Promise<Rows[]>;
  close(): Promise<void>;
}

/** A read-only connection in a worker thread, for reads that may take long: a redirect never waits for them. */
export function reader(file: string): Reader {
  const { ask, close } = workerCall<readonly Read[], Rows[]>(
    'reader',
    () => new Worker(new URL('./reader-thread.ts', import.meta.url), { workerData: { file } }),
  );
  return { read: ask, close };
}
