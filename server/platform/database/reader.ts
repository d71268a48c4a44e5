import { Worker } from 'node:worker_threads';
import { workerCall } from '../concurrency/worker-call.ts';
import type { Page } from '../http/pagination.ts';

export type Value = number | string | null;
export type Rows = Record<string, Value>[];

/** A statement with its bound values, positional or, in one object, named. */
export interface Read {
  sql: string;
  values: readonly (Value | Readonly<Record<string, Value | undefined>>)[];
  /**
   * The index, in the same batch, of a read that returns a version for the rows counted by this one: while the version
   * is unchanged, the cached result is returned. For small results that take long.
   */
  keptWith?: number;
}

/** A request to the reader thread: to read, or to continue a read. */
export type RowsQuestion = { reads: readonly Read[] } | { more: number };

/** The rows of each read of a batch; `more` if there are further ones, to be requested with this number. */
export interface RowsPart {
  answers: Rows[];
  more: number | undefined;
}

/** The reads for a page's rows and their total (`total`). */
interface PageRead {
  rows: string;
  total: string;
}

export interface Reader {
  /** Runs statements in a worker thread, all on the same state of the database, and returns the rows of each. */
  read(reads: readonly Read[]): Promise<Rows[]>;
  /** A page of a list, and the length of the list. The rows have the statement's shape. */
  page<Row>(statements: PageRead, values: Readonly<Record<string, Value | undefined>>): Promise<Page<Row>>;
  close(): Promise<void>;
}

interface Options {
  /** The database. */
  file: string;
  /**
   * Waits for a turn of the thread. Answers that arrived together are delivered together, and what their requests do
   * with the rows would all be done in one round of the event loop.
   */
  nextTurn: () => Promise<void>;
}

/** A read-only connection in a worker thread, for reads that may take long, so that redirects do not wait for them. */
export function reader({ file, nextTurn }: Options): Reader {
  const { ask, close } = workerCall<RowsQuestion, RowsPart>(
    'reader',
    () => new Worker(new URL('./reader-thread.ts', import.meta.url), { workerData: { file } }),
  );
  async function read(reads: readonly Read[]): Promise<Rows[]> {
    const rows = await allRows(ask, reads);
    await nextTurn();
    return rows;
  }
  return {
    read,
    async page<Row>({ rows, total }: PageRead, values: Readonly<Record<string, Value | undefined>>) {
      const [found = [], [counted] = []] = await read([
        { sql: rows, values: [values] },
        { sql: total, values: [values] },
      ]);
      return { rows: found as unknown as Row[], total: Number(counted?.total ?? 0) };
    },
    close,
  };
}

/** All rows of a batch, assembled from its parts. */
export async function allRows(
  ask: (question: RowsQuestion) => Promise<RowsPart>,
  reads: readonly Read[],
): Promise<Rows[]> {
  let { answers, more } = await ask({ reads });
  const whole = answers;
  while (more !== undefined) {
    ({ answers, more } = await ask({ more }));
    for (const [index, rows] of answers.entries()) whole[index]?.push(...rows);
  }
  return whole;
}
