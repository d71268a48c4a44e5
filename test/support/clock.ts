/** A clock that only moves when a test says so; both readings are milliseconds. */
export interface TestClock {
  now(): number;
  monotonic(): number;
  /** Advances both clocks. */
  advance(milliseconds: number): void;
  /** Changes the wall clock only, like an administrator or an empty battery. */
  jump(milliseconds: number): void;
}

/** A clock that starts at a fixed time: 2027-01-15 12:00:00 UTC by default. */
export function testClock(start = Date.UTC(2027, 0, 15, 12)): TestClock {
  let wall = start;
  let elapsed = 0;
  return {
    now: () => wall,
    monotonic: () => elapsed,
    advance(milliseconds) {
      wall += milliseconds;
      elapsed += milliseconds;
    },
    jump(milliseconds) {
      wall += milliseconds;
    },
  };
}

/** A clock that runs like those of the other programs of a test, and can also be moved. */
export function runningClock(): TestClock {
  const moved = testClock(0);
  return {
    ...moved,
    now: () => Date.now() + moved.now(),
    monotonic: () => performance.now() + moved.monotonic(),
  };
}

/** Pseudo-random integers, the same in every run. */
export function seededIntegers(seed = 1): (below: number) => number {
  let state = seed;
  return (below) => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
