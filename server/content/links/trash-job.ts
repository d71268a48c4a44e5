import type { DeletionClock } from '../../platform/jobs/deletion-clock.ts';
import type { Job } from '../../platform/jobs/scheduler.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import { trashMs } from '../../platform/trash/duration.ts';
import type { LinkQueries } from './queries.ts';

const linksPerStep = 5;

interface Options {
  queries: LinkQueries;
  slices: Pick<Slices, 'run'>;
  /** Told that links are gone for good. */
  onPurge: () => void;
  clock: Pick<DeletionClock, 'isTrusted'>;
  now: () => number;
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
