import type { Transactions } from '../../platform/database/transactions.ts';
import type { DeletionClock } from '../../platform/jobs/deletion-clock.ts';
import { backOff } from './back-off.ts';
import type { PassedVerdict } from './dns-check.ts';
import type { DomainProofs, Evidence } from './proof.ts';
import type { DomainRecordQueries } from './record-queries.ts';
import type { DomainSyncQueries } from './sync-queries.ts';

interface Options {
  queries: Pick<DomainSyncQueries, 'find' | 'setProved' | 'setUnproved' | 'listLapsed'>;
  proofs: Pick<DomainProofs, 'find'>;
  addEntry: DomainRecordQueries['addEntry'];
  clock: Pick<DeletionClock, 'isTrusted'>;
  /** Removes a domain with everything on it. */
  release: (id: number) => void;
  now: () => number;
  randomInteger: (below: number) => number;
  transactions: Transactions;
}

/**
 * Failures after which the delay between checks no longer grows, at a little over an hour: someone is waiting for it.
 */
const mostFailures = 4;

const sentences: Record<Evidence, string> = {
  record: 'Ownership verified by the TXT record.',
  file: 'The domain forwards visitors to this server.',
  address: 'The domain resolves to an address of this server.',
};

/** Updates which domains are verified, and removes claims that were not verified within a week. */
export function domainOwnership(options: Options) {
  const { queries, proofs, addEntry, now, transactions } = options;

  function note(id: number, evidence: Evidence | undefined): boolean {
    return transactions.atomically(() => {
      const row = queries.find(id);
      if (!row) return false;
      // Proved meanwhile, by a look that began earlier.
      if (row.lapses_at === null) return true;
      const at = now();
      if (evidence) {
        queries.setProved(id, at);
        // An undisputed domain needs no log entry.
        if (evidence !== 'address' || row.proof_failure_count > 0)
          addEntry(id, at, { event: 'proved', message: sentences[evidence], details: { reason: evidence } });
        return true;
      }
      const failures = Math.min(row.proof_failure_count + 1, mostFailures);
      queries.setUnproved(id, at + backOff(failures, options.randomInteger));
      if (row.proof_failure_count === 0) {
        const until = new Date(row.lapses_at).toISOString().slice(0, 10);
        addEntry(id, at, {
          event: 'proof_missing',
          message: `You have not verified that you own this domain. It is removed after ${until}.`,
          details: { until: row.lapses_at },
        });
      }
      return false;
    });
  }

  return {
    /** Verifies an unverified domain. Resolves to whether it is verified; false if it was deleted. */
    async look(id: number, verdict: PassedVerdict): Promise<boolean> {
      const row = queries.find(id);
      if (!row) return false;
      if (row.lapses_at === null) return true;
      return note(id, await proofs.find(row, verdict));
    },

    /** Deletes expired claims, so that nobody blocks a name for its owner. */
    lapse(): void {
      if (!options.clock.isTrusted()) return;
      for (const { id } of queries.listLapsed(now())) options.release(id);
    },
  };
}

export type DomainOwnership = ReturnType<typeof domainOwnership>;
