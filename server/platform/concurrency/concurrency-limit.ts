/** Runs a limited number of tasks at a time; others wait in order. */
export type ConcurrencyLimit = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A queue for work that needs much memory or time; at most `width` tasks run at once. */
export function concurrencyLimit(width: number): ConcurrencyLimit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The slot is handed to the next task instead of being freed, so that no task skips the queue.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
