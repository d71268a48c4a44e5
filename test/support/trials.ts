import { inject, type TestContext } from 'vitest';
import type { Trial } from '../../build/trial-table.ts';

declare module 'vitest' {
  interface TaskMeta {
    trial?: Trial;
  }
  interface ProvidedContext {
    /** Whether tests run at full length: `npm run test:faults`. */
    isLong: boolean;
  }
}

/** The number of repetitions: few in `npm test`, all in `npm run test:faults`. */
export function times({ short, long }: { short: number; long: number }): number {
  return inject('isLong') ? long : short;
}

/** In `npm test`, the first few items of a list starting at `from`, wrapping around; in `npm run test:faults`, all. */
export function some<Item>(items: readonly Item[], { from, short }: { from: number; short: number }): Item[] {
  const count = times({ short, long: items.length });
  return Array.from({ length: count }, (_, index) => items[(from + index) % items.length] as Item);
}

/**
 * All pairs of the items of two lists in `npm run test:faults`; in `npm test` as many as it takes to have each item in
 * one.
 */
export function pairs<One, Other>(ones: readonly One[], others: readonly Other[]): [One, Other][] {
  if (inject('isLong')) return ones.flatMap((one) => others.map((other): [One, Other] => [one, other]));
  return Array.from({ length: Math.max(ones.length, others.length) }, (_, index) => [
    ones[index % ones.length] as One,
    others[index % others.length] as Other,
  ]);
}

/** The trial of this test. The test updates its counts while running, so that a failure shows how far it got. */
export function trialOf({ task }: TestContext, row: string, what: string): Trial {
  const trial: Trial = { row, what, tried: 0, survived: 0, lost: 0 };
  task.meta.trial = trial;
  return trial;
}
