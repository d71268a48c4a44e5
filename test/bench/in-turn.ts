import { setTimeout as wait } from 'node:timers/promises';

/** Something that is measured beside something else on the same machine. */
export interface Side {
  /** Resolves once it does nothing any more: what it left for later would slow the other side down. */
  settle(): Promise<void>;
}

/** What was measured in one round. */
export interface Round<Result> {
  base: Result;
  ours: Result;
}

interface Options<Subject extends Side, Result> {
  /** What the other one is compared with. */
  base: Subject;
  ours: Subject;
  rounds: number;
  /** Runs before the first round, once on each side, so that both are compiled and warm. */
  warmUp: (side: Subject) => Promise<unknown>;
  measure: (side: Subject) => Promise<Result>;
  onRound?: (round: Round<Result>, number: number) => void;
}

/**
 * Measures two sides in turn, each first in every second round, since machines change their mind from minute to minute.
 * Neither is measured before both are idle.
 */
export async function inTurn<Subject extends Side, Result>(
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
  /** Seconds of processor time that the process has used so far. */
  processorTime: () => number;
  /** Milliseconds between two looks. */
  everyMs?: number;
  /** Looks before it is given up. */
  mostLooks?: number;
}

/** Processor time between two looks that a process uses which does nothing: one tick of the system's clock. */
const idleSeconds = 0.011;

/**
 * Waits until every click is counted and the process has used no processor time between two looks: the write-ahead log
 * may be written back after the last click was counted. Throws when that never happens.
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
