import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../../platform/concurrency/worker-call.ts';
import { openReader } from '../../platform/database/connect.ts';
import { readAnswers } from '../../platform/database/read-answers.ts';
import type { StatsAnswer, StatsQuestion } from './stats-reader.ts';
import { wordSums } from './word-sums.ts';

const { file } = workerData as { file: string };
const connection = openReader(file);
const read = readAnswers(connection);
const sumsOf = wordSums(connection);
const allSums = connection.transaction((questions: NonNullable<StatsQuestion['sums']>) =>
  questions.map(sumsOf),
);

answerQuestions(
  ({ reads, sums }: StatsQuestion): StatsAnswer => ({
    rows: reads ? read(reads) : [],
    sums: sums ? allSums.deferred(sums) : [],
  }),
);
