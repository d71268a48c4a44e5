import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { catchUp } from '../../../server/visits/clicks/catch-up.ts';
import type { Rollups } from '../../../server/visits/clicks/rollups.ts';

/** Milliseconds of work that a click is for counting, and the commit at the end of a slice. */
const clickMs = 0.012;
const commitMs = 0.4;

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] }));
afterEach(() => void vi.useRealTimers());

interface Load {
  /** Clicks in a millisecond, and the work that the answer to each is. */
  clicks: number;
  answerMs: number;
  /** How many visitors wait for answers at most before they ask again. */
  visitors?: number;
  ms: number;
}

/** A thread that answers redirects and counts them, in simulated time: what takes time here is known exactly. */
function run({ clicks, answerMs, visitors = Number.POSITIVE_INFINITY, ms }: Load) {
  let now = 0;
  let idle = 0;
  let fired = 0;
  /** Requests that have come and are not answered, and clicks that are not counted. */
  let asked = 0;
  let waiting = 0;
  let batch = 0;
  let countingMs = 0;
  let mostAsked = 0;
  let mostWaiting = 0;

  function pass(time: number): void {
    now += time;
    asked = Math.min(visitors, asked + time * clicks);
    mostAsked = Math.max(mostAsked, asked);
    mostWaiting = Math.max(mostWaiting, waiting);
  }

  const step: Rollups['step'] = (hasTime) => {
    if (batch === 0) batch = waiting;
    if (batch === 0) return 'all';
    const before = now;
    do {
      const counted = Math.min(batch, 10);
      pass(counted * clickMs);
      batch -= counted;
      waiting -= counted;
    } while (batch > 0 && hasTime());
    pass(commitMs);
    countingMs += now - before;
    return batch === 0 ? 'batch' : 'part';
  };
  const counting = catchUp({
    rollups: { step, waiting: () => waiting, forgetOwners: () => true, onCounted: () => () => {} },
    monotonic: () => now,
    elapsed: () => ({ active: now - idle, idle }),
    log: { error: () => {} },
  });
  while (now < ms) {
    const due = Math.floor(asked);
    asked -= due;
    waiting += due;
    if (due > 0) counting.wake();
    pass(due * answerMs);
    if (due === 0) {
      idle += 0.5;
      pass(0.5);
    }
    vi.advanceTimersByTime(now - fired);
    fired = now;
  }
  counting.close();
  return { share: countingMs / now, worstMs: mostAsked * answerMs, behindMs: mostWaiting / clicks };
}

test('counting keeps up with redirects that need half of the thread, and none of them waits for long', () => {
  // 10,000 a second.
  const { worstMs, behindMs } = run({ clicks: 10, answerMs: 0.055, ms: 60_000 });
  expect(behindMs).toBeLessThan(2000);
  expect(worstMs).toBeLessThan(2);
});

test('counting leaves the thread to a burst, until so much waits that it has to be counted', () => {
  const burst = { clicks: 40, answerMs: 0.03, visitors: 64 };
  const { share } = run({ ...burst, ms: 4_000 });
  expect(share).toBeGreaterThan(0.03);
  expect(share).toBeLessThan(0.08);
  expect(run({ ...burst, ms: 60_000 }).share).toBeGreaterThan(0.2);
});

test('counting is done at once while little else is', () => {
  const { behindMs } = run({ clicks: 0.5, answerMs: 0.05, ms: 10_000 });
  expect(behindMs).toBeLessThan(200);
});
