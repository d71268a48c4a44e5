import type { Transactions } from '../../platform/database/transactions.ts';
import type { DeletionClock } from '../../platform/jobs/deletion-clock.ts';
import type { Job } from '../../platform/jobs/scheduler.ts';
import { dayMs } from './dimensions.ts';
import type { AgedClick, RetentionQueries } from './retention-queries.ts';

/** An account, and the number of days for which its plan keeps clicks (`limits.retention`); -1 is unlimited. */
interface KeepingAccount {
  userId: number;
  days: number;
}

interface Options {
  queries: RetentionQueries;
  /** Of the connection that writes the click log, so that cached links are not invalidated. */
  transactions: Transactions;
  /** The number of days for which clicks are kept (`retentionDays`); null for unlimited. */
  retentionDays: () => number | null;
  /** Whether clicks may have addresses (`privacy.storeAddresses`). */
  storesAddresses: () => boolean;
  /** The account with the next id. */
  accountAfter: (userId: number) => KeepingAccount | undefined;
  clock: Pick<DeletionClock, 'isTrusted'>;
  now: () => number;
}

/** Clicks per transaction: a redirect must not wait long for it. */
const clicksPerStep = 200;
/** Links and accounts to check before yielding. */
const idsPerStep = 50;

/**
 * Deletes clicks older than the retention of the instance or of their owner's plan, once an hour and a few at a time.
 * The statistics derived from them are kept. If addresses are not (or no longer) stored, they are removed from
 * existing clicks. All data of a deleted account and its links is removed.
 */
export function retentionJob(options: Options): Job {
  const { queries, transactions, now } = options;

  /** Deletes clicks older than `cutoff` from a list in id order. */
  async function sweep(
    next: (after: number) => AgedClick[],
    cutoff: number,
    signal: AbortSignal,
  ): Promise<void> {
    let after = 0;
    while (!signal.aborted) {
      const clicks = next(after);
      const old = clicks.filter(({ at }) => at < cutoff);
      if (old.length > 0) transactions.atomically(() => queries.remove(old));
      // A click dated in the future by a wrong clock says nothing about the clicks after it.
      const reachedKept = old.length === 0 && clicks.some(({ at }) => at <= now());
      if (clicks.length < clicksPerStep || reachedKept) return;
      after = clicks.at(-1)?.id ?? after;
      await letOthersThrough();
    }
  }

  /** Deletes an account's expired clicks, link by link. */
  async function sweepLinks({ userId, days }: KeepingAccount, signal: AbortSignal): Promise<void> {
    let links = queries.linksAfter(userId, undefined, idsPerStep);
    while (links.length > 0 && !signal.aborted) {
      for (const { id } of links) {
        const next = (after: number) => queries.oldestOfLink(id, after, clicksPerStep);
        await sweep(next, now() - days * dayMs, signal);
      }
      await letOthersThrough();
      links = queries.linksAfter(userId, links.at(-1), idsPerStep);
    }
  }

  /** Deletes clicks older than their account's plan keeps them, if that is less than `days`. */
  async function sweepAccounts(days: number | null, signal: AbortSignal): Promise<void> {
    let looked = 0;
    for (
      let account = options.accountAfter(0);
      account !== undefined && !signal.aborted;
      account = options.accountAfter(account.userId)
    ) {
      looked += 1;
      if (looked % idsPerStep === 0) await letOthersThrough();
      if (account.days < 0 || (days !== null && days <= account.days)) continue;
      await sweepLinks(account, signal);
    }
  }

  /** Repeats a deletion of some rows until none are left. */
  async function whileAny(removeSome: () => number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && transactions.atomically(removeSome) === clicksPerStep) await letOthersThrough();
  }

  /** Deletes metrics of deleted links and accounts. */
  async function forgetGone(kind: 'link' | 'user', signal: AbortSignal): Promise<void> {
    let looked = 0;
    for (
      let id = queries.nextWithMetrics(kind, 0);
      id !== undefined;
      id = queries.nextWithMetrics(kind, id)
    ) {
      if (signal.aborted) return;
      looked += 1;
      if (looked % idsPerStep === 0) await letOthersThrough();
      if (queries.isThere(kind, id)) continue;
      const gone = id;
      // Metrics come last: they are how an unfinished link is found again.
      if (kind === 'link') await whileAny(() => queries.removeClicksOf(gone, clicksPerStep), signal);
      await whileAny(() => queries.removeMetricsOf(kind, gone, clicksPerStep), signal);
    }
  }

  return {
    name: 'retention',
    intervalMs: () => 3_600_000,
    firstMs: 90_000,
    async run(signal) {
      while (!options.storesAddresses() && !signal.aborted) {
        if (queries.clearAddresses(clicksPerStep) < clicksPerStep) break;
        await letOthersThrough();
      }
      const days = options.retentionDays();
      const mayDelete = options.clock.isTrusted();
      if (days !== null && mayDelete) {
        const next = (after: number) => queries.oldest(after, clicksPerStep);
        await sweep(next, now() - days * dayMs, signal);
      }
      if (mayDelete) await sweepAccounts(days, signal);
      await forgetGone('link', signal);
      await forgetGone('user', signal);
    },
  };
}

function letOthersThrough(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
