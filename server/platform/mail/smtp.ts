import { Worker } from 'node:worker_threads';
import { workerCall } from '../concurrency/worker-call.ts';
import type { Outcome, Submission } from './submission.ts';

export interface Smtp {
  /** Passes a message to a mail server. Rejects if the thread died, and after `close`. */
  submit(submission: Submission): Promise<Outcome>;
  close(): Promise<void>;
}

/**
 * Runs SMTP in a worker thread, which starts with the first message: whatever a server sends, and however much of it,
 * does not delay redirects. Its memory is limited.
 */
export function smtp(): Smtp {
  const { ask, close } = workerCall<Submission, Outcome>(
    'mail thread',
    () =>
      new Worker(new URL('./smtp-thread.ts', import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: 128 },
      }),
  );
  return { submit: ask, close };
}
