import { busy } from '../errors.ts';

/** Runs expensive work for many parties, such as networks, fairly. */
export interface FairQueue {
  /** Whether work of this party would be accepted now. */
  hasCapacity(party: string): boolean;
  /** Runs work when it is the party's turn. Throws 503 if the queue is full. */
  run<Result>(party: string, work: () => Promise<Result>): Promise<Result>;
}

interface Options {
  /** How many tasks run at once. */
  width: number;
  /** How many tasks may wait, across all parties. */
  most: number;
}

/** The party of an account; networks are parties under their own name. */
export function accountParty(userId: number): string {
  return `account ${userId}`;
}

/** The share of free places that one party may have waiting. */
const share = 1 / 8;

/**
 * A bounded queue that no single party can fill: parties alternate, however much each has waiting, and a party may
 * only take a share of the remaining places. Filling it takes dozens of parties, and even then a freed place goes to a
 * party with nothing waiting.
 */
export function fairQueue({ width, most }: Options): FairQueue {
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  let total = 0;

  function hasCapacity(party: string): boolean {
    return running < width || (waiting.get(party)?.length ?? 0) < (most - total) * share;
  }

  /** Waits until a slot is handed over. */
  function slot(party: string): Promise<void> {
    return new Promise((resolve) => {
      const ofParty = waiting.get(party) ?? [];
      waiting.set(party, ofParty);
      ofParty.push(resolve);
      total += 1;
    });
  }

  /** Hands the slot to the party that has waited longest since it was last served. */
  function handOn(): void {
    const [next] = waiting;
    if (!next) {
      running -= 1;
      return;
    }
    const [party, [first, ...others]] = next;
    waiting.delete(party);
    if (others.length > 0) waiting.set(party, others);
    total -= 1;
    first?.();
  }

  return {
    hasCapacity,
    async run(party, work) {
      if (!hasCapacity(party)) throw busy();
      if (running >= width) await slot(party);
      else running += 1;
      try {
        return await work();
      } finally {
        handOn();
      }
    },
  };
}
