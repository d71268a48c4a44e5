import { Worker } from 'node:worker_threads';
import { workerCall } from '../concurrency/worker-call.ts';
import type { Outcome, Submission } from './submission.ts';

export interface Smtp {
  /** Hands a message to a mail server. Rejects when the thread died, and after `close`. */
  submit(submission: Submission): Promise<Outcome>;
  close(): Promise<void>;
}

/**
 * Speaks to mail servers in a thread of its own, which starts with the first message: whatever a server sends, and
 * however much of it, takes no time from redirects. Its memory has a bound.
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
