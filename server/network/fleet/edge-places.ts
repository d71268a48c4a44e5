import type { Logger } from 'pino';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { FleetQueries } from './queries.ts';

interface Options {
  queries: Pick<FleetQueries, 'edge' | 'noteAddresses'>;
  /** Whether anything may be written now. */
  mayWrite: () => boolean;
  transactions: Pick<Transactions, 'provisionally'>;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

/** Between two writes of one edge: redirects wait for each. */
const restMs = 60_000;

/**
 * Stores the addresses of edges while they are offline. Edges report every few seconds: a new report is written at
 * most once a minute.
 */
export function edgePlaces({ queries, mayWrite, transactions, now, log }: Options) {
  const kept = new Map<number, { addresses: string; at: number }>();

  return function note(id: number, addresses: readonly string[]): void {
    const text = JSON.stringify(addresses);
    const at = now();
    const before = kept.get(id);
    if (before?.addresses === text) return;
    // A clock that was set back is no reason to wait for it.
    if (before && at >= before.at && at - before.at < restMs) return;
    try {
      if (queries.edge(id)?.addresses === text) {
        kept.set(id, { addresses: text, at: 0 });
        return;
      }
      if (!mayWrite()) return;
      // What a power failure loses is reported again.
      transactions.provisionally(() => queries.noteAddresses(id, addresses));
      kept.set(id, { addresses: text, at });
    } catch (error) {
      kept.set(id, { addresses: before?.addresses ?? '', at });
      log.warn({ err: error }, 'the addresses of an edge could not be stored');
    }
  };
}
