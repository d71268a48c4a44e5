export interface Attempts {
  /** Whether anybody has failed lately; false is the answer that costs nothing. */
  hasAny(): boolean;
  /** Whether the name has used up its attempts of the current window. */
  isBlocked(name: string): boolean;
  /** Counts an attempt that failed. */
  fail(name: string): void;
  forget(name: string): void;
  /** Seconds until the name's window ends. */
  secondsLeft(name: string): number;
}

interface Options {
  allowed: number;
  windowMs: number;
  /** Monotonic milliseconds: a change of the wall clock resets no window (T-24). */
  monotonic: () => number;
  /** Names kept at most; the oldest go first, so that many addresses cannot fill the memory. */
  capacity?: number;
}

/** Counts failed attempts by name (an address, a link and address) in windows that begin with the first failure. */
export function attempts({ allowed, windowMs, monotonic, capacity = 10_000 }: Options): Attempts {
  const windows = new Map<string, { endsAt: number; failures: number }>();

  function current(name: string) {
    const window = windows.get(name);
    if (!window || monotonic() < window.endsAt) return window;
    windows.delete(name);
    return undefined;
  }

  return {
    hasAny: () => windows.size > 0,
    isBlocked: (name) => (current(name)?.failures ?? 0) >= allowed,
    fail(name) {
      let window = current(name);
      if (!window) {
        window = { endsAt: monotonic() + windowMs, failures: 0 };
        windows.set(name, window);
        const oldest = windows.size > capacity ? windows.keys().next().value : undefined;
        if (oldest !== undefined) windows.delete(oldest);
      }
      window.failures += 1;
    },
    forget: (name) => windows.delete(name),
    secondsLeft: (name) => Math.max(1, Math.ceil(((current(name)?.endsAt ?? 0) - monotonic()) / 1000)),
  };
}
