export interface FixedWindow {
  /** Whether any name has hits; the cheap check for the usual case. */
  hasAny(): boolean;
  /** Hits of a name in its current window. */
  hits(name: string): number;
  /** Whether a name has reached the limit of its current window. */
  isBlocked(name: string): boolean;
  /** Counts one hit. The first one starts the name's window. */
  hit(name: string): void;
  forget(name: string): void;
  /** Milliseconds until the name's window ends; a full window if none has started. */
  millisecondsLeft(name: string): number;
  /** The same in whole seconds, at least 1, as for `Retry-After`. */
  secondsLeft(name: string): number;
}

interface Options {
  /** Hits per window before `isBlocked`. Callers with a variable limit compare `hits` themselves. */
  limit?: number;
  windowMs: number;
  /** Monotonic milliseconds: a change of the wall clock resets no window (T-24). */
  monotonic: () => number;
  /** The maximum number of names; the oldest are evicted first, so that many addresses cannot exhaust memory. */
  capacity?: number;
}

/** Counts hits by name (a key, an address, a link and address) in windows that start with the first hit. */
export function fixedWindow(options: Options): FixedWindow {
  const { limit = Number.POSITIVE_INFINITY, windowMs, monotonic, capacity = 10_000 } = options;
  const windows = new Map<string, { endsAt: number; hits: number }>();

  function current(name: string) {
    const window = windows.get(name);
    if (!window || monotonic() < window.endsAt) return window;
    windows.delete(name);
    return undefined;
  }

  function start(name: string) {
    const window = { endsAt: monotonic() + windowMs, hits: 0 };
    windows.set(name, window);
    const oldest = windows.size > capacity ? windows.keys().next().value : undefined;
    if (oldest !== undefined) windows.delete(oldest);
    return window;
  }

  const hits = (name: string) => current(name)?.hits ?? 0;

  function millisecondsLeft(name: string): number {
    const window = current(name);
    return window ? window.endsAt - monotonic() : windowMs;
  }

  return {
    hasAny: () => windows.size > 0,
    hits,
    isBlocked: (name) => hits(name) >= limit,
    hit(name) {
      const window = current(name) ?? start(name);
      window.hits += 1;
    },
    forget: (name) => windows.delete(name),
    millisecondsLeft,
    secondsLeft: (name) => Math.max(1, Math.ceil(millisecondsLeft(name) / 1000)),
  };
}
