import type { Core } from '../../platform/core.ts';
import type { Creators } from '../../platform/database/authorship.ts';
import type { DeletionClock } from '../../platform/jobs/deletion-clock.ts';
import type { Job } from '../../platform/jobs/scheduler.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import { trashMs } from '../../platform/trash/duration.ts';
import { trimJob } from '../../platform/trash/trim-job.ts';
import type { LinkQueries } from './queries.ts';

const linksPerStep = 5;

interface Options {
  queries: LinkQueries;
  slices: Pick<Slices, 'run'>;
  /** Called when links are permanently deleted. */
  onPurge: () => void;
  clock: Pick<DeletionClock, 'isTrusted'>;
  now: () => number;
}

/** How many links each person has in the trash of each account, for `trimJob`. */
const heldLinks = `
  SELECT 'links' AS resource, user_id AS account, ifnull(created_by, user_id) AS creator, count(*) AS total
  FROM links INDEXED BY links_trash_by_creator WHERE trashed_at IS NOT NULL
  GROUP BY user_id, ifnull(created_by, user_id)`;

interface TrimOptions extends Pick<Core, 'audit' | 'changes' | 'reader' | 'slices' | 'transactions'> {
  queries: Pick<LinkQueries, 'findOldestTrashed' | 'remove'>;
  /** Called when links are permanently deleted. */
  onPurge: () => void;
  nameOf: Creators['nameOf'];
  /** How many links are kept per person. */
  each: number;
}

/** Permanently deletes the oldest links in the trash of people with more than are kept. */
export function fullTrashJob({ queries, onPurge, changes, ...others }: TrimOptions): Job {
  return trimJob({
    name: 'trash-kept',
    counts: heldLinks,
    ...others,
    removeOldest({ account, creator }) {
      const id = queries.findOldestTrashed(account, creator);
      if (id === undefined) return undefined;
      queries.remove(id);
      return 1;
    },
    onRemoved(holders) {
      onPurge();
      const accounts = new Set(holders.map(({ account }) => account));
      for (const accountId of accounts) changes.publish({ accountId, resource: 'links', ids: [] });
    },
  });
}

/** Empties the trash of links that have been in it for 30 days, a slice at a time, once an hour. */
export function trashJob({ queries, slices, onPurge, clock, now }: Options): Job {
  return {
    name: 'trash',
    intervalMs: () => 3_600_000,
    firstMs: 60_000,
    async run(signal) {
      if (!clock.isTrusted()) return;
      await slices.run(() => {
        const old = signal.aborted ? [] : queries.trashedBefore(now() - trashMs, linksPerStep);
        for (const { id } of old) queries.remove(id);
        return old.length === linksPerStep;
      });
      onPurge();
    },
  };
}
