import type { Transactions } from '../../platform/database/transactions.ts';
import type { DeletionClock } from '../../platform/jobs/deletion-clock.ts';
import type { Job } from '../../platform/jobs/scheduler.ts';
import { trashMs } from '../../platform/trash/duration.ts';
import type { TeamQueries } from './queries.ts';

const hourMs = 3_600_000;

interface Options {
  queries: Pick<TeamQueries, 'findOverdue'>;
  /** Deletes an account; returns the work to do after the commit. */
  erase: (id: number) => () => Promise<void>;
  transactions: Transactions;
  clock: Pick<DeletionClock, 'isTrusted'>;
  now: () => number;
}

/** Permanently deletes teams that were deleted 30 days ago, with everything that they own. */
export function teamTrashJob({ queries, erase, transactions, clock, now }: Options): Job {
  return {
    name: 'teams',
    intervalMs: () => hourMs,
    firstMs: 150_000,
    async run(signal) {
      while (!signal.aborted && clock.isTrusted()) {
        const finish = transactions.atomically(() => {
          const id = queries.findOverdue(now() - trashMs);
          return id === undefined ? undefined : erase(id);
        });
        if (!finish) return;
        await finish();
      }
    },
  };
}
