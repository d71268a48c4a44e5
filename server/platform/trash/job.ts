import type { Transactions } from '../database/transactions.ts';
import type { DeletionClock } from '../jobs/deletion-clock.ts';
import type { Job } from '../jobs/scheduler.ts';
import { trashMs } from './duration.ts';
import type { TrashQueries } from './queries.ts';
import { hasPictures } from './sources.ts';

/** Records per transaction: a record may be large, and redirects must not wait for it. */
const perStep = 5;

/** Unused pictures of accounts. */
export interface LeftPictures {
  /** Deletes an account's pictures that no page shows and neither the trash nor an open form needs. */
  sweep: (userId: number) => void;
  /** Deletes some uploads that no form has used in time; false if there are none. */
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
 * Permanently deletes what was deleted 30 days ago, with its pictures, and unused uploads, a few at a time, once an
 * hour.
 */
export function trashJob({ queries, transactions, pictures, clock, now }: Options): Job {
  return {
    name: 'deleted-records',
    intervalMs: () => 3_600_000,
    firstMs: 90_000,
    async run(signal) {
      if (!clock.isTrusted()) return;
      // Lets other requests run between two steps.
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
