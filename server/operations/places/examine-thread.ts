import { readFile } from 'node:fs/promises';
import { answerQuestions } from '../../platform/concurrency/worker-call.ts';
import { type Examined, examine } from './examine.ts';

/** What is in a file, or what is wrong with it. */
export type Examination = { facts: Examined } | { problem: string };

answerQuestions(async (file: string): Promise<Examination> => {
  try {
    return { facts: examine(await readFile(file)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
});
