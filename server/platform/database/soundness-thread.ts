import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../concurrency/worker-call.ts';
import { openReader } from './connect.ts';
import { findFaultByTable } from './quick-check.ts';

const { file } = workerData as { file: string };

answerQuestions((_asked: 'look'): string | null => {
  const connection = openReader(file);
  try {
    return findFaultByTable(connection) ?? null;
  } finally {
    connection.close();
  }
});
