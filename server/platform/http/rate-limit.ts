import { fixedWindow } from '../concurrency/fixed-window.ts';

/** A caller's window, as the three rate headers report it. */
export interface Allowance {
  limit: number;
  remaining: number;
  /** Unix seconds. */
  reset: number;
  /** Whether this request is allowed. Rejected requests are not counted. */
  allowed: boolean;
  /** Seconds until the window ends. */
  retryAfter: number;
}

export interface RateLimiter {
  /** Counts a request of a caller, if allowed. */
  take(caller: string, limit: number): Allowance;
  /** A caller's window, without counting. */
  look(caller: string, limit: number): Allowance;
}

export interface RateLimiters {
  keys: RateLimiter;
  /** For requests without a valid key. */
  addresses: RateLimiter;
}

interface Options {
  /** Monotonic milliseconds: a change of the wall clock resets no window (decision 0003). */
  monotonic: () => number;
  now: () => number;
  windowMs?: number;
  /** The maximum number of windows; the oldest are evicted first, so that many addresses cannot exhaust memory. */
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
