import { workerData } from 'node:worker_threads';
import type { Statement } from 'better-sqlite3';
import { answerQuestions } from '../concurrency/worker-call.ts';
import { openReader } from './connect.ts';
import type { Read, Value } from './reader.ts';

const { file } = workerData as { file: string };
const connection = openReader(file);
const statements = new Map<string, Statement<unknown[], Record<string, Value>>>();

function statementOf(sql: string) {
  let statement = statements.get(sql);
  if (!statement) {
    statement = connection.prepare<unknown[], Record<string, Value>>(sql);
    statements.set(sql, statement);
  }
  return statement;
}

const readAll = connection.transaction((reads: readonly Read[]) =>
  reads.map(({ sql, values }) => statementOf(sql).all(...values)),
);

answerQuestions((reads: readonly Read[]) => readAll.deferred(reads));
