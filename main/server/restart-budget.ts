/** Decides whether a process that died is started again, and after how long. */
export interface RestartBudget {
  /** Milliseconds until the next start, or undefined when it has died too often. Counts the death. */
  spend(): number | undefined;
  /** How many restarts the current window has seen. */
  spent(): number;
  reset(): void;
}

/** At most 5 restarts in 10 minutes, the first at once (F-15). */
const RESTARTS = 5;
const WINDOW = 10 * 60_000;
const PAUSES = [0, 1_000, 2_000, 4_000, 8_000];

/** `now` is a monotonic clock in milliseconds: setting the time must not give or take restarts. */
export function restartBudget(now: () => number): RestartBudget {
  let deaths: number[] = [];
  return {
    spend() {
      const at = now();
      deaths = deaths.filter((death) => at - death < WINDOW);
      if (deaths.length >= RESTARTS) return undefined;
      deaths.push(at);
      return PAUSES[deaths.length - 1];
    },
    spent: () => deaths.length,
    reset() {
      deaths = [];
    },
  };
}
