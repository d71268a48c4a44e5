import { setTimeout as wait } from 'node:timers/promises';

/** One of two subjects that are compared on the same machine. */
export interface Side {
  /** Resolves once it is idle; remaining work would slow the other side down. */
  settle(): Promise<void>;
}

/** The result of one round. */
export interface Round<Result> {
  base: Result;
  ours: Result;
}

interface Options<Subject extends Side, Result> {
  /** The baseline. */
  base: Subject;
  ours: Subject;
  rounds: number;
  /** Runs once on each side before the first round, so that both are compiled and warm. */
  warmUp: (side: Subject) => Promise<unknown>;
  measure: (side: Subject) => Promise<Result>;
  onRound?: (round: Round<Result>, number: number) => void;
}

/**
 * Measures two sides alternately, with a different one first in each round, because machines vary from minute to
 * minute. Waits for both to be idle before each measurement.
 */
export async function alternately<Subject extends Side, Result>(
  options: Options<Subject, Result>,
): Promise<Round<Result>[]> {
  const { base, ours, rounds, warmUp, measure, onRound } = options;
  const settled = async (side: Subject, work: (side: Subject) => Promise<Result>) => {
    await base.settle();
    await ours.settle();
    return work(side);
  };
  for (const side of [base, ours]) {
    await warmUp(side);
    await side.settle();
  }
  const results: Round<Result>[] = [];
  for (let number = 1; number <= rounds; number += 1) {
    const first = number % 2 === 1 ? base : ours;
    const firstResult = await settled(first, measure);
    const otherResult = await settled(first === base ? ours : base, measure);
    const round =
      first === base ? { base: firstResult, ours: otherResult } : { base: otherResult, ours: firstResult };
    results.push(round);
    onRound?.(round, number);
  }
  return results;
}

interface Idleness {
  /** Clicks that are answered but not counted yet. */
  uncounted: () => number;
  /** CPU seconds that the process has used. */
  processorTime: () => number;
  /** Polling interval in milliseconds. */
  everyMs?: number;
  /** Number of polls before giving up. */
  mostLooks?: number;
}

/** CPU time of an idle process between two polls: one tick of the system's clock. */
const idleSeconds = 0.011;

/**
 * Waits until every click is counted and the process has used no CPU time between two polls, because the write-ahead
 * log may be checkpointed after the last click was counted. Throws if that never happens.
 */
export async function untilIdle(options: Idleness): Promise<void> {
  const { uncounted, processorTime, everyMs = 200, mostLooks = 3000 } = options;
  let before = processorTime();
  for (let look = 0; look < mostLooks; look += 1) {
    await wait(everyMs);
    const now = processorTime();
    if (uncounted() === 0 && now - before <= idleSeconds) return;
    before = now;
  }
  throw new Error(`the server was still busy after ${mostLooks} looks, with ${uncounted()} clicks to count`);
}
