import type { Connection } from '../database/connect.ts';
import type { Transactions } from '../database/transactions.ts';
import type { DeletionClock } from '../jobs/deletion-clock.ts';
import type { Job } from '../jobs/scheduler.ts';
import { removalJob } from './job.ts';
import { removalQueries } from './queries.ts';
import { type Removals, removals } from './service.ts';

interface Options {
  database: Connection;
  transactions: Transactions;
  clock: Pick<DeletionClock, 'isTrusted'>;
  /** Removes the pictures of an account that nothing shows and nothing kept needs. */
  sweepPictures: (userId: number) => void;
  now: () => number;
}

/** Wires what keeps deleted things for as long as they may come back. */
export function removalModules({ database, transactions, sweepPictures, clock, now }: Options): {
  removals: Removals;
  job: Job;
} {
  const queries = removalQueries(database);
  return {
    removals: removals({ queries, now }),
    job: removalJob({ queries, transactions, sweepPictures, clock, now }),
  };
}
