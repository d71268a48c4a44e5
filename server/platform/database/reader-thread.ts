import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../concurrency/worker-call.ts';
import { openReader } from './connect.ts';
import { readAnswers } from './read-answers.ts';
import { rowParts } from './row-parts.ts';

const { file } = workerData as { file: string };

answerQuestions(rowParts(readAnswers(openReader(file))));
