import { AsyncResource } from 'node:async_hooks';
import { stranger } from '../audit/actor.ts';
import type { AuditLog } from '../audit/service.ts';
import type { Reader } from '../database/reader.ts';
import type { Transactions } from '../database/transactions.ts';
import type { Job, ScheduledJob } from '../jobs/scheduler.ts';
import type { Slices } from '../jobs/slices.ts';
import { boundsOf, surplus } from './surplus.ts';

/** The deleted records of one kind that one person created in an account. */
interface Holder {
  resource: string;
  account: number;
  creator: number;
  total: number;
}

/** Who has how many of a kind, where somebody has too many, or all have together. */
const holdersSql = (counts: string): string => `
  WITH held AS MATERIALIZED (${counts}),
    full AS (
      SELECT resource, account FROM held GROUP BY resource, account
      HAVING max(total) > @each OR sum(total) > @together)
  SELECT held.* FROM held JOIN full USING (resource, account) ORDER BY resource, account, creator`;

interface Options {
  name: string;
  /** How many records of a kind are kept for each person. */
  each: number;
  /** Rows of `Holder`, of all accounts. Asked in the reader's thread. */
  counts: string;
  reader: Pick<Reader, 'read'>;
  /** Removes one of the oldest records of a holder for good, or a part of it; how many are gone, undefined when there are none. */
  removeOldest(holder: Holder): number | undefined;
  /** Told of the accounts that have lost something. */
  onRemoved?(accounts: readonly number[]): void;
  nameOf(person: number): string | undefined;
  transactions: Transactions;
  slices: Pick<Slices, 'run'>;
  audit: Pick<AuditLog, 'note'>;
}

/**
 * Lets what was deleted first go for good where somebody has more of it than is kept, once an hour and whenever many more
 * records were deleted (decision 0101).
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

  /** Returns how many are gone. */
  async function trim(holder: Holder, tooMany: number, signal: AbortSignal): Promise<number> {
    let gone = 0;
    await slices.run(() => {
      if (signal.aborted || gone >= tooMany) return false;
      const removed = options.removeOldest(holder);
      gone += removed ?? 0;
      return removed !== undefined && gone < tooMany;
    });
    return gone;
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
      const [rows = []] = await reader.read([{ sql, values: [{ ...bounds }] }]);
      // The columns are those of `Holder`.
      const holders = rows as unknown as Holder[];
      const byAccount = Map.groupBy(holders, ({ resource, account }) => `${resource} ${account}`);
      const touched = new Set<number>();
      for (const together of byAccount.values()) {
        const tooMany = surplus(
          together.map(({ total }) => total),
          bounds,
        );
        for (const [index, holder] of together.entries()) {
          const gone = tooMany[index] ? await trim(holder, tooMany[index], signal) : 0;
          if (gone === 0) continue;
          note(holder, gone);
          touched.add(holder.account);
        }
      }
      if (touched.size > 0) options.onRemoved?.([...touched]);
    },
  };
}

/**
 * Counts deletions, and runs the job early after a hundredth of what one person keeps: between two hours somebody could delete
 * any number. Call what it returns for each deleted record.
 */
export function earlyTrim(job: Pick<ScheduledJob, 'runNow' | 'state'>, each: number): () => void {
  let deleted = 0;
  // As nobody: who deletes the record that is one too many neither writes nor answers for what goes.
  const run = AsyncResource.bind(() => void job.runNow());
  return () => {
    deleted += 1;
    const { running, nextAt } = job.state();
    if (deleted < each / 100 || running || nextAt === null) return;
    deleted = 0;
    run();
  };
}
