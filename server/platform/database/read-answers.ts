import type { Statement } from 'better-sqlite3';
import type { Connection } from './connect.ts';
import type { Read, Value } from './reader.ts';

type Rows = Record<string, Value>[];

/** The number of cached results of `keptWith`. */
const mostKept = 500;

/** Answers the reads of a batch from one state of the database; runs in a worker with its own connection. */
export function readAnswers(connection: Connection): (reads: readonly Read[]) => Rows[] {
  const statements = new Map<string, Statement<unknown[], Record<string, Value>>>();
  /** By statement and values, with the version that they were read at. */
  const kept = new Map<string, { version: string; rows: Rows }>();

  function statementOf(sql: string) {
    let statement = statements.get(sql);
    if (!statement) {
      statement = connection.prepare<unknown[], Record<string, Value>>(sql);
      statements.set(sql, statement);
    }
    return statement;
  }

  function answerOf({ sql, values, keptWith }: Read, before: readonly Rows[]): Rows {
    if (keptWith === undefined) return statementOf(sql).all(...values);
    const key = JSON.stringify([sql, values]);
    const version = JSON.stringify(before[keptWith]);
    const known = kept.get(key);
    const rows = known?.version === version ? known.rows : statementOf(sql).all(...values);
    // The most recently used go last.
    kept.delete(key);
    kept.set(key, { version, rows });
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return rows;
  }

  const readAll = connection.transaction((reads: readonly Read[]) => {
    const answers: Rows[] = [];
    for (const read of reads) answers.push(answerOf(read, answers));
    return answers;
  });
  return (reads) => readAll.deferred(reads);
}
