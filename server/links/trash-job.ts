import type { Transactions } from '../database/transactions.ts';
import type { Job } from '../jobs/scheduler.ts';
import type { LinkQueries } from './queries.ts';

/** How long a deleted link can be brought back (decisions, section 4). */
const keptMs = 30 * 86_400_000;
/** Links a transaction: their clicks go with them, and a redirect must not wait for that. */
const linksPerStep = 5;

interface Options {
  queries: LinkQueries;
  transactions: Transactions;
  now: () => number;
}

/** Empties the trash of links that have been in it for 30 days, a few at a time, once an hour. */
export function trashJob({ queries, transactions, now }: Options): Job {
  return {
    name: 'trash',
    intervalMs: () => 3_600_000,
    firstMs: 60_000,
    async run(signal) {
      while (!signal.aborted) {
        const old = queries.trashedBefore(now() - keptMs, linksPerStep);
        if (old.length === 0) return;
        transactions.atomically(() => {
          for (const { id } of old) queries.remove(id);
        });
        // Lets requests through between two steps.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
