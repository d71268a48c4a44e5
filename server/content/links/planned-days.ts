import type { Changes } from '../../platform/events/changes.ts';
import type { DeletionClock } from '../../platform/jobs/deletion-clock.ts';
import type { Job } from '../../platform/jobs/scheduler.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import type { LinkHistory } from './history.ts';
import { type LinkQueries, type LinkRecord, type LinkRow, pickRecord } from './queries.ts';

/** Links per step, and links between two notifications of live pages. */
const linksPerStep = 5;
const mostAtOnce = 500;

interface Options {
  queries: Pick<LinkQueries, 'due' | 'find'>;
  history: Pick<LinkHistory, 'begin' | 'note' | 'store'>;
  slices: Pick<Slices, 'run'>;
  changes: Pick<Changes, 'publish'>;
  clock: Pick<DeletionClock, 'isTrusted'>;
  now: () => number;
}

/**
 * Archives and deletes links and ends their A/B tests on the scheduled dates, as if a person had done it: with a
 * change in their history that can be undone. The same commit removes the date, so that each takes effect once,
 * whatever stops the server, and even if the clock is set back.
 */
export function plannedDaysJob({ queries, history, slices, changes, clock, now }: Options): Job {
  /** Processes what is due for some links; returns the account of each. */
  function carryOut(limit: number): { id: number; user_id: number }[] {
    const at = now();
    const due = queries.due(at, limit);
    for (const { id, user_id } of due) {
      const row = queries.find(id, user_id);
      const found = row && afterDays(row, at);
      if (!row || !found) continue;
      history.note(history.begin(user_id, found.action), row, found.record);
      history.store(row, found.record);
    }
    return due;
  }

  /** Returns whether there may be more. */
  async function carryOutSome(signal: AbortSignal): Promise<boolean> {
    const done = new Map<number, Set<number>>();
    let count = 0;
    try {
      await slices.run(() => {
        const links = signal.aborted ? [] : carryOut(linksPerStep);
        for (const { id, user_id } of links) done.set(user_id, (done.get(user_id) ?? new Set()).add(id));
        count += links.length;
        return links.length > 0 && count < mostAtOnce;
      });
    } finally {
      for (const [accountId, ids] of done) changes.publish({ accountId, resource: 'links', ids: [...ids] });
    }
    return count >= mostAtOnce && !signal.aborted;
  }

  return {
    name: 'planned days',
    intervalMs: () => 60_000,
    firstMs: 5_000,
    async run(signal) {
      // A clock that is wrong for an hour must not put everything into the trash.
      while (clock.isTrusted() && (await carryOutSome(signal)));
    },
  };
}

/** A link after its due days, and the effect of the strongest of them; undefined if none is due. */
function afterDays(row: LinkRow, at: number): { record: LinkRecord; action: string } | undefined {
  const record = pickRecord(row);
  const isDue = (day: number | null): boolean => day !== null && day <= at;
  let action: string | undefined;
  if (isDue(row.test_until)) {
    action = 'planned test';
    Object.assign(record, {
      url: row.test_winner ?? row.url,
      abtesting: '[]',
      test_until: null,
      test_winner: null,
    });
  }
  if (isDue(row.archive_at)) {
    action = 'planned archive';
    Object.assign(record, { archived: 1, archive_at: null });
  }
  if (isDue(row.delete_at)) {
    action = 'planned delete';
    Object.assign(record, { trashed_at: at, delete_at: null });
  }
  return action === undefined ? undefined : { record, action };
}
