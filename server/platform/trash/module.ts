import type { Core } from '../core.ts';
import type { Module } from '../module.ts';
import { type LeftPictures, trashJob } from './job.ts';
import { trashQueries } from './queries.ts';
import { type Trash, trash } from './service.ts';

interface Options {
  pictures: LeftPictures;
}

/** Wires what keeps deleted records for as long as they can be restored. */
export function trashModule(
  { databases, transactions, slices, backlog, changes, clock }: Core,
  { pictures }: Options,
): Module & { trash: Trash } {
  const queries = trashQueries(databases.main);
  const { now, monotonic } = clock;
  const records = trash({ queries, transactions, slices, changes, now, monotonic });
  // Nobody wakes it: whoever deletes or restores does all of it. The next start takes up what a stop left.
  backlog.add({ name: 'trash', step: records.step });
  return {
    trash: records,
    jobs: [trashJob({ queries, transactions, pictures, clock, now })],
  };
}
