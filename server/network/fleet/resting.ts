/** How long a work rests, in terms of the time that it took. */
const restFactor = 4;

/** Keeps a work that others ask for, as often as they like, from taking more than a fifth of the time. */
export function resting(monotonic: () => number) {
  let mayBeginAt = Number.NEGATIVE_INFINITY;
  return {
    /** Whether it has rested long enough. */
    mayBegin: (): boolean => monotonic() >= mayBeginAt,
    /** Does it, and measures how long it takes. Rejects if it does. */
    async run(work: () => Promise<unknown>): Promise<void> {
      const begunAt = monotonic();
      try {
        await work();
      } finally {
        const endedAt = monotonic();
        mayBeginAt = endedAt + (endedAt - begunAt) * restFactor;
      }
    },
  };
}
