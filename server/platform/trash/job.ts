import type { Transactions } from '../database/transactions.ts';
import type { DeletionClock } from '../jobs/deletion-clock.ts';
import type { Job } from '../jobs/scheduler.ts';
import { trashMs } from './duration.ts';
import type { TrashQueries } from './queries.ts';
import { hasPictures } from './sources.ts';

/** Records a transaction: one may be large, and a redirect must not wait for that. */
const perStep = 5;

/** The pictures of accounts, as far as they are left over. */
export interface LeftPictures {
  /** Removes the pictures of an account that no page shows, nothing in the trash needs and no form waits for. */
  sweep: (userId: number) => void;
  /** Removes some uploads that have waited for their form long enough; false when there are none. */
  dropLapsed: (now: number) => boolean;
}

interface Options {
  queries: Pick<TrashQueries, 'listBefore' | 'remove' | 'removeParts'>;
  transactions: Transactions;
  pictures: LeftPictures;
  clock: Pick<DeletionClock, 'isTrusted'>;
  now: () => number;
}

/**
 * Forgets what was deleted 30 days ago, with its pictures, and uploads that nothing has shown, a few at a time, once an
 * hour.
 */
export function trashJob({ queries, transactions, pictures, clock, now }: Options): Job {
  return {
    name: 'deleted-records',
    intervalMs: () => 3_600_000,
    firstMs: 90_000,
    async run(signal) {
      if (!clock.isTrusted()) return;
      // Lets requests through between two steps.
      const pause = () => new Promise((resolve) => setImmediate(resolve));
      while (!signal.aborted) {
        const old = queries.listBefore(now() - trashMs, perStep);
        if (old.length === 0) break;
        transactions.atomically(() => {
          const gone = old.filter(({ resource, id }) => !queries.removeParts(resource, id));
          for (const { resource, id } of gone) queries.remove(resource, id);
          const pages = gone.filter(({ resource }) => hasPictures(resource));
          for (const userId of new Set(pages.map((row) => row.userId))) pictures.sweep(userId);
        });
        await pause();
      }
      while (!signal.aborted && transactions.atomically(() => pictures.dropLapsed(now()))) await pause();
    },
  };
}
