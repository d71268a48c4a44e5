import type { Statement } from 'better-sqlite3';
import type { Connection } from './connect.ts';
import type { Read, Value } from './reader.ts';

type Rows = Record<string, Value>[];

/** How many answers of `keptWith` are remembered. */
const mostKept = 500;

/** Answers the reads of a batch on one state of the database; in a thread that has a connection for reading. */
export function readAnswers(connection: Connection): (reads: readonly Read[]) => Rows[] {
  const statements = new Map<string, Statement<unknown[], Record<string, Value>>>();
  /** By statement and values, with the version that they are of. */
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
    // What was asked for last goes last.
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
