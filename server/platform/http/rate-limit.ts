import { fixedWindow } from '../concurrency/fixed-window.ts';

/** What the three headers say about a caller's window. */
export interface Allowance {
  limit: number;
  remaining: number;
  /** Unix seconds. */
  reset: number;
  /** Whether this request may go on. A refused one does not count. */
  allowed: boolean;
  /** Seconds until the window ends. */
  retryAfter: number;
}

export interface RateLimiter {
  /** Counts one request of a caller, if it is allowed. */
  take(caller: string, limit: number): Allowance;
  /** The state of a caller's window without counting. */
  look(caller: string, limit: number): Allowance;
}

export interface RateLimiters {
  keys: RateLimiter;
  /** Of requests without a valid key. */
  addresses: RateLimiter;
}

interface Options {
  /** Monotonic milliseconds: a change of the wall clock resets no window (decision 0003). */
  monotonic: () => number;
  now: () => number;
  windowMs?: number;
  /** Windows kept at most; the oldest ones go first, so that many addresses cannot fill the memory. */
  capacity?: number;
}

/** A fixed window per caller, which starts with its first request (contract, "Limits": 30 a minute). */
export function rateLimiter({ monotonic, now, windowMs = 60_000, capacity = 10_000 }: Options): RateLimiter {
  const window = fixedWindow({ windowMs, monotonic, capacity });

  function describe(caller: string, limit: number, allowed: boolean): Allowance {
    return {
      limit,
      remaining: Math.max(0, limit - window.hits(caller)),
      reset: Math.ceil((now() + window.millisecondsLeft(caller)) / 1000),
      allowed,
      retryAfter: window.secondsLeft(caller),
    };
  }

  return {
    take(caller, limit) {
      const allowed = window.hits(caller) < limit;
      if (allowed) window.hit(caller);
      return describe(caller, limit, allowed);
    },
    look: (caller, limit) => describe(caller, limit, true),
  };
}
