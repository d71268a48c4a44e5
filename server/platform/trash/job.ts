import type { Transactions } from '../database/transactions.ts';
import type { DeletionClock } from '../jobs/deletion-clock.ts';
import type { Job } from '../jobs/scheduler.ts';
import { trashMs } from './duration.ts';
import type { TrashQueries } from './queries.ts';

/** Records a transaction: one may be large, and a redirect must not wait for that. */
const perStep = 5;

interface Options {
  queries: Pick<TrashQueries, 'listBefore' | 'remove' | 'removeParts'>;
  transactions: Transactions;
  /** Removes the pictures of an account that no page shows and nothing in the trash needs. */
  sweepPictures: (userId: number) => void;
  clock: Pick<DeletionClock, 'isTrusted'>;
  now: () => number;
}

/** Forgets what was deleted 30 days ago, with its pictures, a few at a time, once an hour. */
export function trashJob({ queries, transactions, sweepPictures, clock, now }: Options): Job {
  return {
    name: 'deleted-records',
    intervalMs: () => 3_600_000,
    firstMs: 90_000,
    async run(signal) {
      if (!clock.isTrusted()) return;
      while (!signal.aborted) {
        const old = queries.listBefore(now() - trashMs, perStep);
        if (old.length === 0) return;
        transactions.atomically(() => {
          const gone = old.filter(({ resource, id }) => !queries.removeParts(resource, id));
          for (const { resource, id } of gone) queries.remove(resource, id);
          for (const userId of new Set(gone.map((row) => row.userId))) sweepPictures(userId);
        });
        // Lets requests through between two steps.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
