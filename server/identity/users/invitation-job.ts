import type { Transactions } from '../../platform/database/transactions.ts';
import type { DeletionClock } from '../../platform/jobs/deletion-clock.ts';
import type { Job } from '../../platform/jobs/scheduler.ts';
import type { InvitationQueries } from './invitation-queries.ts';

const dayMs = 86_400_000;
/** How long an expired invitation is kept, to find out why someone could not register. */
const keptMs = 30 * dayMs;
const perStep = 50;

interface Options {
  /** Of the instance and of teams. */
  queries: readonly Pick<InvitationQueries, 'removeOld'>[];
  transactions: Transactions;
  clock: Pick<DeletionClock, 'isTrusted'>;
  now: () => number;
}

/** Removes invitations that expired 30 days ago, used or not, a few at a time, once a day. */
export function invitationJob({ queries, transactions, clock, now }: Options): Job {
  return {
    name: 'invitations',
    intervalMs: () => dayMs,
    firstMs: 120_000,
    async run(signal) {
      if (!clock.isTrusted()) return;
      for (const { removeOld } of queries) {
        while (!signal.aborted) {
          if (transactions.atomically(() => removeOld(now() - keptMs, perStep)) < perStep) break;
          // Yields between two steps.
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    },
  };
}
