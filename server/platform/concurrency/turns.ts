/** Works begin in one round of the event loop until this much time has passed. */
const roundMs = 3;
/** Cheap works, such as refusals, begin together in one round: at most this many. */
const mostPerRound = 16;

export interface Turns {
  /**
   * Runs the work when its turn comes, in the order of the calls; what it does before it waits for something belongs
   * to that turn. It must not throw.
   */
  take(work: () => void): void;
  /** Resolves when it is the caller's turn. */
  next(): Promise<void>;
}

interface Options {
  /** Monotonic milliseconds. */
  monotonic: () => number;
  /** Asked once per round: whether it is left to others. */
  givesWay?: () => boolean;
}

/**
 * Spreads the works of many callers over rounds of the event loop. What arrives on many connections at once would be
 * done in a single round, and a redirect that arrives during it would wait for all of it; now it waits for a few
 * milliseconds.
 */
export function turns({ monotonic, givesWay = () => false }: Options): Turns {
  const waiting: (() => void)[] = [];
  let isScheduled = false;

  function scheduleRound(): void {
    const count = Math.min(waiting.length, mostPerRound);
    isScheduled = count > 0;
    let endsAt = 0;
    // One immediate each: all that a work does before it waits for input happens before the next immediate, and with
    // a single one nothing could measure it.
    for (let place = 1; place <= count; place += 1) {
      setImmediate(() => {
        if (place === 1) endsAt = givesWay() ? Number.NEGATIVE_INFINITY : monotonic() + roundMs;
        const work = monotonic() < endsAt ? waiting.shift() : undefined;
        if (place === count) scheduleRound();
        work?.();
      });
    }
  }

  function take(work: () => void): void {
    waiting.push(work);
    if (!isScheduled) scheduleRound();
  }

  return { take, next: () => new Promise(take) };
}
