import { setImmediate as nextTurn } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../../platform/concurrency/worker-call.ts';
import { openReader } from '../../platform/database/connect.ts';
import { readAnswers } from '../../platform/database/read-answers.ts';
import type { FilterAnswer } from './click-columns.ts';
import { type ColumnQuestion, columnStore, type WarmQuestion, warmQuestionOf } from './column-store.ts';
import { groupSums } from './group-sums.ts';
import type { StatsAnswer, StatsQuestion } from './stats-reader.ts';
import { valueSums } from './value-sums.ts';

const { file } = workerData as { file: string };
const connection = openReader(file);
const read = readAnswers(connection);
const words = valueSums(connection);
const allSums = connection.transaction((questions: NonNullable<StatsQuestion['sums']>) =>
  questions.map(words.best),
);
const grouped = connection.transaction(groupSums(connection, words));

const columns = columnStore(connection);
const count = connection.transaction(columns.count);
const warm = connection.transaction(columns.warm);
/** The account whose clicks are preloaded; a newer request replaces earlier ones. */
let wished: WarmQuestion | undefined;
let isWarming = false;
let askedAt = 0;
/** How long nothing must have been asked before clicks are read ahead: a page asks for several things. Milliseconds. */
const quietMs = 250;

/** Reads a few thousand clicks ahead, then lets questions through. */
function warmSome(): void {
  isWarming = wished !== undefined;
  if (!wished) return;
  const left = askedAt + quietMs - performance.now();
  if (left > 0) {
    setTimeout(warmSome, left);
    return;
  }
  if (warm.deferred(wished)) wished = undefined;
  setImmediate(warmSome);
}

let lastFiltered: Promise<unknown> = Promise.resolve();

/** Counts under filters, one question after the other: two large accounts would drop each other's columns. */
function countFiltered(question: ColumnQuestion): Promise<FilterAnswer> {
  const answer = lastFiltered.then(() => readAndCount(question));
  lastFiltered = answer.catch(() => {});
  return answer;
}

/**
 * Reads what is not there yet in slices, each in a transaction of its own: a large account takes seconds, and during a
 * transaction the write-ahead log cannot be reset, until a commit has to write all of it back and every visitor waits.
 */
async function readAndCount(question: ColumnQuestion): Promise<FilterAnswer> {
  while (!warm.deferred(warmQuestionOf(question))) await nextTurn();
  return count.deferred(question);
}

answerQuestions(
  async ({ reads, sums, groups, filtered, warm: next }: StatsQuestion): Promise<StatsAnswer> => {
    askedAt = performance.now();
    if (next) wished = next;
    if (wished && !isWarming) {
      isWarming = true;
      setImmediate(warmSome);
    }
    return {
      rows: reads ? read(reads) : [],
      sums: sums ? allSums.deferred(sums) : [],
      groups: groups && grouped.deferred(groups),
      filtered: filtered && (await countFiltered(filtered)),
    };
  },
);
