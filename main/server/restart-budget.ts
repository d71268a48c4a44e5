/** Decides whether and when to restart a process that exited unexpectedly. */
export interface RestartBudget {
  /** Counts an exit. Returns the delay before the restart in milliseconds, or undefined if the budget is used up. */
  spend(): number | undefined;
  /** Number of restarts in the current window. */
  spent(): number;
  reset(): void;
}

/** At most 5 restarts in 10 minutes, the first one immediately (F-15). */
const RESTARTS = 5;
const WINDOW = 10 * 60_000;
const PAUSES = [0, 1_000, 2_000, 4_000, 8_000];

/** `now` is a monotonic clock in milliseconds, so that changing the system time does not affect the budget. */
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
