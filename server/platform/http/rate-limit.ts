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

interface Window {
  startedAt: number;
  used: number;
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
  const windows = new Map<string, Window>();

  function current(caller: string): Window {
    const at = monotonic();
    const known = windows.get(caller);
    if (known && at - known.startedAt < windowMs) return known;
    const fresh = { startedAt: at, used: 0 };
    windows.delete(caller);
    windows.set(caller, fresh);
    if (windows.size > capacity) {
      const oldest = windows.keys().next().value;
      if (oldest !== undefined) windows.delete(oldest);
    }
    return fresh;
  }

  function describe(window: Window, limit: number, allowed: boolean): Allowance {
    const left = Math.max(0, windowMs - (monotonic() - window.startedAt));
    return {
      limit,
      remaining: Math.max(0, limit - window.used),
      reset: Math.ceil((now() + left) / 1000),
      allowed,
      retryAfter: Math.max(1, Math.ceil(left / 1000)),
    };
  }

  return {
    take(caller, limit) {
      const window = current(caller);
      const allowed = window.used < limit;
      if (allowed) window.used += 1;
      return describe(window, limit, allowed);
    },
    look(caller, limit) {
      return describe(current(caller), limit, true);
    },
  };
}
