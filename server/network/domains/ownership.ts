import type { DomainEvent } from '../../contract/domains.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { DeletionClock } from '../../platform/jobs/deletion-clock.ts';
import { backOff } from './back-off.ts';
import type { PassedVerdict } from './dns-check.ts';
import type { DomainProofs, Evidence } from './proof.ts';
import type { DomainSyncQueries } from './sync-queries.ts';

interface Options {
  queries: Pick<DomainSyncQueries, 'find' | 'setProved' | 'setUnproved' | 'listLapsed'>;
  proofs: Pick<DomainProofs, 'find'>;
  addEntry: (id: number, at: number, event: DomainEvent, message: string) => void;
  clock: Pick<DeletionClock, 'isTrusted'>;
  /** Takes a domain away with what is on it. */
  release: (id: number) => void;
  now: () => number;
  randomInteger: (below: number) => number;
  transactions: Transactions;
}

/** Failures after which the pause between two looks grows no more, to a little over an hour: somebody waits for it. */
const mostFailures = 4;

const sentences: Record<Evidence, string> = {
  record: 'Ownership verified by the TXT record.',
  file: 'The domain forwards visitors to this server.',
  address: 'The domain resolves to an address of this server.',
};

/** Keeps in step which domains are proved to be their accounts', and takes back claims that nobody proved in a week. */
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
        // What was never in doubt is no news.
        if (evidence !== 'address' || row.proof_failure_count > 0)
          addEntry(id, at, 'proved', sentences[evidence]);
        return true;
      }
      const failures = Math.min(row.proof_failure_count + 1, mostFailures);
      queries.setUnproved(id, at + backOff(failures, options.randomInteger));
      if (row.proof_failure_count === 0) {
        const until = new Date(row.lapses_at).toISOString().slice(0, 10);
        addEntry(
          id,
          at,
          'proof_missing',
          `You have not verified that you own this domain. It is removed after ${until}.`,
        );
      }
      return false;
    });
  }

  return {
    /** Looks for a proof where one is missing. Resolves to whether the domain is proved; false when it is gone. */
    async look(id: number, verdict: PassedVerdict): Promise<boolean> {
      const row = queries.find(id);
      if (!row) return false;
      if (row.lapses_at === null) return true;
      return note(id, await proofs.find(row, verdict));
    },

    /** Removes claims whose time has passed, so that nobody keeps a name from its owner. */
    lapse(): void {
      if (!options.clock.isTrusted()) return;
      for (const { id } of queries.listLapsed(now())) options.release(id);
    },
  };
}

export type DomainOwnership = ReturnType<typeof domainOwnership>;
