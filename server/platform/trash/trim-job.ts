import { AsyncResource } from 'node:async_hooks';
import { stranger } from '../audit/actor.ts';
import type { AuditLog } from '../audit/service.ts';
import type { Reader } from '../database/reader.ts';
import type { Transactions } from '../database/transactions.ts';
import type { Job, ScheduledJob } from '../jobs/scheduler.ts';
import type { Slices } from '../jobs/slices.ts';
import { boundsOf, surplus } from './surplus.ts';

/** The deleted records of one type that one person created in an account. */
interface Holder {
  resource: string;
  account: number;
  creator: number;
  total: number;
}

/** The number deleted before recounting: some may be restored meanwhile. */
const perCount = 1000;

/** The counts of a type, if a person or the account has too many. */
const holdersSql = (counts: string): string => `
  WITH held AS MATERIALIZED (${counts}),
    full AS (
      SELECT resource, account FROM held GROUP BY resource, account
      HAVING max(total) > @each OR sum(total) > @together)
  SELECT held.* FROM held JOIN full USING (resource, account) ORDER BY resource, account, creator`;

const keyOf = ({ resource, account, creator }: Holder): string => `${resource} ${account} ${creator}`;

interface Options {
  name: string;
  /** How many records of a type are kept per person. */
  each: number;
  /** Rows of `Holder`, of all accounts. Read in the reader thread. */
  counts: string;
  reader: Pick<Reader, 'read'>;
  /**
   * Permanently deletes one of a holder's oldest records, or a part of it; returns how many are gone, undefined if
   * there are none.
   */
  removeOldest(holder: Holder): number | undefined;
  /** Called with those who lost something, even if an error ended the work. */
  onRemoved?(holders: readonly Holder[]): void | Promise<void>;
  nameOf(person: number): string | undefined;
  transactions: Transactions;
  slices: Pick<Slices, 'run'>;
  audit: Pick<AuditLog, 'note'>;
}

/**
 * Permanently deletes the oldest records of those who have more than is kept, once an hour and after many further
 * deletions (decision 0101).
 */
export function trimJob({
  name,
  each,
  counts,
  reader,
  transactions,
  slices,
  audit,
  ...options
}: Options): Job {
  const bounds = boundsOf(each);
  const sql = holdersSql(counts);

  /** How many each holder has too many. */
  async function count(): Promise<Map<string, { holder: Holder; tooMany: number }>> {
    const [rows = []] = await reader.read([{ sql, values: [{ ...bounds }] }]);
    // The columns are those of `Holder`.
    const byAccount = Map.groupBy(
      rows as unknown as Holder[],
      ({ resource, account }) => `${resource} ${account}`,
    );
    const counted = [...byAccount.values()].flatMap((together) => {
      const totals = together.map(({ total }) => total);
      return surplus(totals, bounds).map((tooMany, index) => ({
        holder: together[index] as Holder,
        tooMany,
      }));
    });
    return new Map(counted.filter(({ tooMany }) => tooMany > 0).map((each) => [keyOf(each.holder), each]));
  }

  /** Reports to `gone` how many each slice has deleted, once it is committed. */
  async function remove(
    holder: Holder,
    most: number,
    signal: AbortSignal,
    gone: (removed: number) => void,
  ): Promise<void> {
    let removed = 0;
    const step = () => {
      if (signal.aborted || removed >= most) return false;
      const some = options.removeOldest(holder);
      removed += some ?? 0;
      return some !== undefined && removed < most;
    };
    const provisionally: Transactions['provisionally'] = (work) => {
      const before = removed;
      const result = transactions.provisionally(work);
      gone(removed - before);
      return result;
    };
    await slices.run(step, { ...transactions, provisionally });
  }

  function note({ account, creator, resource }: Holder, removed: number): void {
    const username = creator === account ? undefined : options.nameOf(creator);
    const details = { trashed: resource, removed, ...(username !== undefined && { username }) };
    transactions.atomically(() => audit.note(stranger(''), 'trash.trimmed', details, account));
  }

  return {
    name,
    intervalMs: () => 3_600_000,
    firstMs: 120_000,
    async run(signal) {
      let full = await count();
      let sinceCount = 0;
      const touched: Holder[] = [];

      async function trim(holder: Holder): Promise<void> {
        let removed = 0;
        const gone = (some: number) => {
          removed += some;
          sinceCount += some;
        };
        try {
          while (!signal.aborted) {
            if (sinceCount >= perCount) {
              full = await count();
              sinceCount = 0;
            }
            const left = full.get(keyOf(holder));
            if (!left || left.tooMany <= 0) return;
            const before = removed;
            await remove(holder, Math.min(left.tooMany, perCount - sinceCount), signal, gone);
            if (removed === before) return;
            left.tooMany -= removed - before;
          }
        } finally {
          if (removed > 0) {
            touched.push(holder);
            note(holder, removed);
          }
        }
      }

      try {
        for (const { holder } of [...full.values()]) await trim(holder);
      } finally {
        if (touched.length > 0) await options.onRemoved?.(touched);
      }
    },
  };
}

/**
 * Counts deletions, and runs the job early after a hundredth of what one person keeps: otherwise someone could delete
 * any number between two runs. Call the returned function for each deleted record.
 */
export function earlyTrim(job: Pick<ScheduledJob, 'runNow' | 'state'>, each: number): () => void {
  let deleted = 0;
  // Without an actor: the person who deletes one record too many is not the author of this deletion.
  const run = AsyncResource.bind(() => void job.runNow());
  return () => {
    deleted += 1;
    const { running, nextAt } = job.state();
    if (deleted < each / 100 || running || nextAt === null) return;
    deleted = 0;
    run();
  };
}
