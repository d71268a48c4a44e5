import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** Below this share of the thread's time, deferrable work need not wait. */
export const freeLoad = 0.3;
/** Above this share it is a burst, and responses come first. */
export const burstLoad = 0.95;
/** Above this backlog, the load is not a burst but constant, and the work must be done anyway. */
const mostWaiting = 250_000;
/** A single slice delayed by a slow disk does not represent the cost of the work. */
const mostRestMs = 1_000;
/** Over less than that a load is chance: right after a piece there is always some of what came meanwhile. */
const windowMs = 50;
/** The work's share of the thread: at most, in a burst, and in a burst when too much waits. */
const shares = { most: 1 / 2, burst: 1 / 20, overdue: 1 / 3 };
/** How much of the time the thread is to be idle while both work: with less, what comes waits for what came before. */
const idleShare = { least: 0.1, most: 0.2 };

export interface SpareTime {
  /** Runs a slice of the work and measures its time. */
  spend<Result>(work: () => Result): Result;
  /**
   * The share of the thread's time, less that of the work, in which it did something else lately: a work must not make
   * a thread that has no time left look half idle.
   */
  othersLoad(): number;
  /** How many milliseconds the work must pause after what it has used, given the share that others used. */
  restAfter(load: number): number;
}

interface Options {
  /** Monotonic milliseconds. */
  monotonic: () => number;
  /** The size of the backlog. */
  waiting: () => number;
}

/**
 * What a work on the thread of the redirects may take of its time: as much as leaves the thread idle now and then, and
 * in a burst that never is a twentieth, until so much waits that it gets a third.
 */
export function spareTime({ monotonic, waiting }: Options): SpareTime {
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  /** What the work had since `before`, and since the load was last asked for. */
  let windowWorkMs = 0;
  let pieceMs = 0;
  let load = 0;
  let share = shares.most;

  function look(): void {
    const current = performance.eventLoopUtilization();
    const { active, idle } = performance.eventLoopUtilization(current, before);
    const all = active + idle;
    if (all < windowMs) return;
    before = current;
    const others = all - windowWorkMs;
    load = others > 0 ? Math.max(0, active - windowWorkMs) / others : 0;
    windowWorkMs = 0;
    // Down at once, up little by little.
    if (idle < idleShare.least * all) share = Math.max(shares.burst, share / 2);
    else if (idle > idleShare.most * all) share = Math.min(shares.most, share * 1.2);
  }

  return {
    spend(work) {
      const begunAt = monotonic();
      try {
        return work();
      } finally {
        const took = monotonic() - begunAt;
        windowWorkMs += took;
        pieceMs += took;
      }
    },
    othersLoad() {
      look();
      pieceMs = 0;
      return load;
    },
    restAfter(load) {
      if (load <= freeLoad) return 0;
      const least = waiting() > mostWaiting ? shares.overdue : shares.burst;
      const part = Math.max(least, share);
      return Math.min(mostRestMs, pieceMs * (1 / part - 1));
    },
  };
}
