import type { Job } from '../../platform/jobs/scheduler.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import type { ChangeQueries } from './change-queries.ts';

const dayMs = 86_400_000;
/** How long changes can be viewed and undone, and how many are kept per account. */
const keptMs = 365 * dayMs;
const mostPerAccount = 20_000;
/** Changes examined per step, and parts of a change deleted per step. */
const looksPerStep = 20;
const partsPerStep = 20;

interface Options {
  queries: Pick<ChangeQueries, 'newestBelow' | 'removeSome'>;
  slices: Pick<Slices, 'run'>;
  now: () => number;
  /** For tests. */
  most?: number;
}

/**
 * Deletes changes of links that are a year old, exceed their account's limit, or are empty because the links are gone
 * or have newer ones; in slices, once a day.
 */
export function historyJob({ queries, slices, now, most = mostPerAccount }: Options): Job {
  return {
    name: 'history',
    intervalMs: () => dayMs,
    firstMs: 300_000,
    async run(signal) {
      const kept = new Map<number, number>();
      let oldest: number | undefined;
      let below = Number.MAX_SAFE_INTEGER;
      let removing: number[] = [];

      function look(): boolean {
        const rows = queries.newestBelow(below, looksPerStep);
        // A clock that is far ahead expires nothing: the time since the last change counts.
        oldest ??= Math.min(now(), (rows[0]?.at ?? 0) + 30 * dayMs) - keptMs;
        for (const { id, user_id, at, is_empty } of rows) {
          const count = (kept.get(user_id) ?? 0) + 1;
          // One that was just begun may belong to an action on many links that is under way.
          const isVoid = is_empty === 1 && at < now() - dayMs;
          if (at < oldest || count > most || isVoid) removing.push(id);
          else kept.set(user_id, count);
          below = id;
        }
        return rows.length === looksPerStep;
      }

      await slices.run(() => {
        if (signal.aborted) return false;
        const [next, ...others] = removing;
        if (next === undefined) return look() || removing.length > 0;
        if (queries.removeSome(next, partsPerStep)) removing = others;
        // Whether there is more is found out by the next look, which is cheap at the end.
        return true;
      });
    },
  };
}
