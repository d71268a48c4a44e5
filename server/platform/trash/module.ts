import type { Core } from '../core.ts';
import type { Module } from '../module.ts';
import { trashJob } from './job.ts';
import { trashQueries } from './queries.ts';
import { type Trash, trash } from './service.ts';

interface Options {
  /** Removes the pictures of an account that no page shows and nothing in the trash needs. */
  sweepPictures: (userId: number) => void;
}

/** Wires what keeps deleted records for as long as they can be restored. */
export function trashModule(
  { databases, transactions, slices, backlog, changes, clock }: Core,
  { sweepPictures }: Options,
): Module & { trash: Trash } {
  const queries = trashQueries(databases.main);
  const { now, monotonic } = clock;
  const records = trash({ queries, transactions, slices, changes, now, monotonic });
  // Nobody wakes it: whoever deletes or restores does all of it. The next start takes up what a stop left.
  backlog.add({ name: 'trash', step: records.step });
  return {
    trash: records,
    jobs: [trashJob({ queries, transactions, sweepPictures, clock, now })],
  };
}
