import { Worker } from 'node:worker_threads';
import { workerCall } from '../../platform/concurrency/worker-call.ts';
import type { Read, Reader, Value } from '../../platform/database/reader.ts';
import type { SumsAnswer, SumsQuestion } from './word-sums.ts';

export interface StatsQuestion {
  reads?: readonly Read[];
  sums?: readonly SumsQuestion[];
}

export interface StatsAnswer {
  rows: Record<string, Value>[][];
  sums: SumsAnswer[];
}

export interface StatsReader extends Pick<Reader, 'read' | 'close'> {
  sums(questions: readonly SumsQuestion[]): Promise<SumsAnswer[]>;
}

/** The thread of the statistics: what they read may take long, and no list has to wait for it. */
export function statsReader(file: string): StatsReader {
  const { ask, close } = workerCall<StatsQuestion, StatsAnswer>(
    'reader of statistics',
    () => new Worker(new URL('./stats-thread.ts', import.meta.url), { workerData: { file } }),
  );
  return {
    read: async (reads) => (await ask({ reads })).rows,
    sums: async (sums) => (await ask({ sums })).sums,
    close,
  };
}
