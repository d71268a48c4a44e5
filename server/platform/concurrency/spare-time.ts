import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** The share of the thread's time up to which a work that can wait need not. */
export const freeLoad = 0.3;
/** The share beyond which it is a burst, whose answers come first. */
export const burstLoad = 0.95;
/** What waits, beyond which a burst is not a burst but what always comes, and has to be dealt with, too. */
const mostWaiting = 250_000;
/** One piece that a slow disk held up is not a measure of what the work takes. */
const mostRestMs = 1_000;

export interface SpareTime {
  /** Does a piece of the work, and counts the time that it takes. */
  spend<Result>(work: () => Result): Result;
  /**
   * The share of the time since it was last asked, less that of the work, in which the thread did something else: a
   * work must not make a thread that has no time left look half idle.
   */
  othersLoad(): number;
  /**
   * For how many milliseconds the work rests after what it has had since then, where others had such a share before.
   */
  restAfter(load: number): number;
}

interface Options {
  /** Monotonic milliseconds. */
  monotonic: () => number;
  /** How much waits for the work. */
  waiting: () => number;
}

/**
 * What a work on the thread of the redirects may take of its time: as much as it leaves free, and in a burst that
 * leaves none a twentieth, until so much waits that it gets a third.
 */
export function spareTime({ monotonic, waiting }: Options): SpareTime {
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  let ownMs = 0;
  return {
    spend(work) {
      const begunAt = monotonic();
      try {
        return work();
      } finally {
        ownMs += monotonic() - begunAt;
      }
    },
    othersLoad() {
      const current = performance.eventLoopUtilization();
      const { active, idle } = performance.eventLoopUtilization(current, before);
      before = current;
      const others = active + idle - ownMs;
      const load = others > 0 ? Math.max(0, active - ownMs) / others : 0;
      ownMs = 0;
      return load;
    },
    restAfter(load) {
      if (load <= freeLoad) return 0;
      const share = waiting() > mostWaiting ? 2 : 19;
      return Math.min(mostRestMs, load > burstLoad ? ownMs * share : ownMs);
    },
  };
}
