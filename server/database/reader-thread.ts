import { parentPort, workerData } from 'node:worker_threads';
import type { Statement } from 'better-sqlite3';
import { openReader } from './connect.ts';
import type { Read } from './reader.ts';

export type Value = number | string | null;

export interface ReadRequest {
  id: number;
  reads: readonly Read[];
}

export type ReadReply = { id: number; rows: Record<string, Value>[][] } | { id: number; error: string };

const { file } = workerData as { file: string };
const connection = openReader(file);
const statements = new Map<string, Statement<Value[], Record<string, Value>>>();

function statementOf(sql: string) {
  let statement = statements.get(sql);
  if (!statement) {
    statement = connection.prepare<Value[], Record<string, Value>>(sql);
    statements.set(sql, statement);
  }
  return statement;
}

const readAll = connection.transaction((reads: readonly Read[]) =>
  reads.map(({ sql, values }) => statementOf(sql).all(...values)),
);

parentPort?.on('message', ({ id, reads }: ReadRequest) => {
  let reply: ReadReply;
  try {
    reply = { id, rows: readAll.deferred(reads) };
  } catch (error) {
    reply = { id, error: (error as Error).message };
  }
  parentPort?.postMessage(reply);
});
