/** Which rounds of the event loop belong to connections that wait to be accepted. */
export interface Arrivals {
  /** Call it for every connection that was accepted. */
  note(): void;
  /**
   * Returns a function that a kind of work asks once per round: whether it should leave this round to those who wait
   * to be accepted.
   */
  watch(): () => boolean;
}

/** The most rounds in a row that a work leaves to others; it has the next one, however many are still arriving. */
const mostRounds = 64;

/**
 * Node accepts one connection per listener and round of the event loop. If work of 3 ms ran in every round, only 300
 * visitors a second could connect, and the last of a hundred would wait for 0.3 s. So work that can wait skips rounds
 * for as long as each of them has accepted a connection: such rounds take a fraction of a millisecond.
 */
export function arrivals(): Arrivals {
  let accepted = 0;
  return {
    note() {
      accepted += 1;
    },
    watch() {
      let seen = accepted;
      let skipped = 0;
      return () => {
        const isArriving = accepted !== seen && skipped < mostRounds;
        seen = accepted;
        skipped = isArriving ? skipped + 1 : 0;
        return isArriving;
      };
    },
  };
}
