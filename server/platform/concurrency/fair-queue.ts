import { busy } from '../errors.ts';

/** Runs costly work for many parties, such as networks, that know nothing of each other. */
export interface FairQueue {
  /** Whether work of this party would be taken on now. */
  hasCapacity(party: string): boolean;
  /** Runs work when it is its party's turn. Throws 503 where there is no room for it. */
  run<Result>(party: string, work: () => Promise<Result>): Promise<Result>;
}

interface Options {
  /** How much work runs at once. */
  width: number;
  /** How much waits at most, of all parties together. */
  most: number;
}

/** The party that an account is; networks are parties by their own name. */
export function accountParty(userId: number): string {
  return `account ${userId}`;
}

/** The part of the free places that one party may have waiting. */
const share = 1 / 8;

/**
 * A bounded queue that no party can fill: parties take turns, whatever each has waiting, and a party may have no more
 * waiting than its share of the places that are left. So it takes dozens of them to leave none, and even then a place
 * that gets free is for a party that has nothing waiting.
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

  /** Hands the slot to the party that has waited longest since its last turn. */
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
