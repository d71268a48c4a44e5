import type { Core } from '../core.ts';
import type { Module } from '../module.ts';
import { removalJob } from './job.ts';
import { removalQueries } from './queries.ts';
import { type Removals, removals } from './service.ts';

interface Options {
  /** Removes the pictures of an account that nothing shows and nothing kept needs. */
  sweepPictures: (userId: number) => void;
}

/** Wires what keeps deleted things for as long as they may come back. */
export function trashModule(
  { databases, transactions, clock }: Core,
  { sweepPictures }: Options,
): Module & { removals: Removals } {
  const queries = removalQueries(databases.main);
  const { now } = clock;
  return {
    removals: removals({ queries, now }),
    jobs: [removalJob({ queries, transactions, sweepPictures, clock, now })],
  };
}
