import { Worker } from 'node:worker_threads';
import { workerCall } from '../concurrency/worker-call.ts';
import type { Page } from '../http/pagination.ts';

export type Value = number | string | null;
export type Rows = Record<string, Value>[];

/** One statement with its bound values, by place or, in one object, by name. */
export interface Read {
  sql: string;
  values: readonly (Value | Readonly<Record<string, Value | undefined>>)[];
  /**
   * The place, in the same batch, of a read that tells the version of what this one counts: while it gives the same
   * rows, what was read before is the answer. For small answers that take long.
   */
  keptWith?: number;
}

/** What the thread of reads is asked: to read, or for more of what it has read. */
export type RowsQuestion = { reads: readonly Read[] } | { more: number };

/** Rows of each read of a batch; `more` where there are further ones, to be asked for by this number. */
export interface RowsPart {
  answers: Rows[];
  more: number | undefined;
}

/** What the rows of one page are read by, and what counts all of them (`total`). */
interface PageRead {
  rows: string;
  total: string;
}

export interface Reader {
  /** Runs statements in a thread of its own, all on the same state of the database, and returns the rows of each. */
  read(reads: readonly Read[]): Promise<Rows[]>;
  /** A page of a list and how long the list is. The rows have the shape of the statement. */
  page<Row>(statements: PageRead, values: Readonly<Record<string, Value | undefined>>): Promise<Page<Row>>;
  close(): Promise<void>;
}

/** A read-only connection in a worker thread, for reads that may take long: a redirect never waits for them. */
export function reader(file: string): Reader {
  const { ask, close } = workerCall<RowsQuestion, RowsPart>(
    'reader',
    () => new Worker(new URL('./reader-thread.ts', import.meta.url), { workerData: { file } }),
  );
  const read = (reads: readonly Read[]) => allRows(ask, reads);
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

/** All rows of a batch, put together out of parts. */
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
