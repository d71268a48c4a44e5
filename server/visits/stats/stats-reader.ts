import { Worker } from 'node:worker_threads';
import { workerCall } from '../../platform/concurrency/worker-call.ts';
import type { Read, Reader, Value } from '../../platform/database/reader.ts';
import type { FilterAnswer } from './click-columns.ts';
import type { ColumnQuestion, WarmQuestion } from './column-store.ts';
import type { GroupsAnswer, GroupsQuestion } from './group-sums.ts';
import type { SumsAnswer, SumsQuestion } from './value-sums.ts';

export interface StatsQuestion {
  reads?: readonly Read[];
  sums?: readonly SumsQuestion[];
  groups?: GroupsQuestion;
  filtered?: ColumnQuestion;
  warm?: WarmQuestion;
}

export interface StatsAnswer {
  rows: Record<string, Value>[][];
  sums: SumsAnswer[];
  groups: GroupsAnswer | undefined;
  filtered: FilterAnswer | undefined;
}

export interface StatsReader extends Pick<Reader, 'read' | 'close'> {
  sums(questions: readonly SumsQuestion[]): Promise<SumsAnswer[]>;
  /** The most visited groups of an account's links. */
  groups(question: GroupsQuestion): Promise<GroupsAnswer>;
  /** Counts single clicks under filters. */
  filtered(question: ColumnQuestion): Promise<FilterAnswer>;
  /** Has the thread read a subject's clicks ahead while it has nothing else to do. */
  warm(question: WarmQuestion): Promise<void>;
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
    groups: async (groups) => answered((await ask({ groups })).groups),
    filtered: async (filtered) => answered((await ask({ filtered })).filtered),
    async warm(warm) {
      await ask({ warm });
    },
    close,
  };
}

function answered<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new Error('the reader of statistics left a question open');
  return answer;
}
