import { Worker } from 'node:worker_threads';
import type { CreateRequest } from './create.ts';
import type { OnProgress, Phase } from './progress.ts';
import { BackupRefused } from './refused.ts';
import type { Restored, RestoreRequest, StageRequest } from './stage.ts';
import type { Facts } from './store.ts';

/** Tasks for a worker thread, with the arguments of the functions of the same names. */
export type Task =
  | { name: 'create'; request: CreateRequest }
  | { name: 'check'; request: StageRequest; passphrase: string | undefined }
  | { name: 'look'; request: LookRequest }
  | { name: 'stage'; request: RestoreRequest };

/** Reads the beginning of an archive, and which keys it may need. */
interface LookRequest extends Pick<RestoreRequest, 'passphrase' | 'vaultKey' | 'vaultKeyIsFixed'> {
  file: string;
}

/**
 * Only small results: a manifest has an entry for each file of an instance, and receiving it would delay redirects,
 * too.
 */
interface Results {
  create: Facts;
  check: undefined;
  look: { facts: Facts; hasKeys: boolean };
  stage: Pick<Restored, 'changesKey'>;
}

export type TaskMessage =
  | { type: 'progress'; phase: Phase; fraction: number }
  | { type: 'done'; result: unknown }
  | { type: 'failed'; code: BackupRefused['code'] | undefined; message: string; stack: string | undefined };

/** The task was cancelled. */
export class TaskCancelled extends Error {}

/**
 * Runs a task in a worker thread: hashing and packing a gigabyte must not delay redirects. Resolves to its result;
 * throws BackupRefused, TaskCancelled once `signal` aborts, or the error. Its owner deletes what a cancelled task
 * leaves behind.
 */
export function runTask<Name extends Task['name']>(
  task: Extract<Task, { name: Name }>,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Results[Name]> {
  if (signal.aborted) return Promise.reject(new TaskCancelled('the task was cancelled'));
  const worker = new Worker(new URL('./task-thread.ts', import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    let end: () => void = () => reject(new Error('the thread of a backup ended'));
    // The thread has ended before its owner cleans up, so nothing is written afterwards.
    const finish = (outcome: () => void) => {
      end = outcome;
      void worker.terminate();
    };
    const cancel = () => finish(() => reject(new TaskCancelled('the task was cancelled')));
    signal.addEventListener('abort', cancel, { once: true });
    worker.on('message', (message: TaskMessage) => {
      if (message.type === 'progress') onProgress(message.phase, message.fraction);
      // The thread replies with the result of the function named like the task.
      else if (message.type === 'done') finish(() => resolve(message.result as Results[Name]));
      else finish(() => reject(failureOf(message)));
    });
    worker.on('error', (error) => {
      end = () => reject(error);
    });
    worker.on('exit', () => {
      signal.removeEventListener('abort', cancel);
      end();
    });
  });
}

function failureOf({ code, message, stack }: Extract<TaskMessage, { type: 'failed' }>): Error {
  if (code !== undefined) return new BackupRefused(code, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
