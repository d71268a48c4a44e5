import type { Logger } from 'pino';
import type { Transactions } from '../database/transactions.ts';
import type { Job } from './scheduler.ts';
import type { Slices, Step } from './slices.ts';

/** A kind of work whose state is in the database alone. */
interface Chore {
  name: string;
  /** Does a piece of what the database says is to be done; false when it says that nothing is. */
  step: Step;
  /** Of the connection that it writes on, where that is not the usual one. */
  transactions?: Transactions;
}

export interface Backlog {
  /** Returns what sets the chore going: call it after the commit that leaves something to do. */
  add(chore: Chore): Wake;
  /** Takes up what a stop or a failure (a full disk) left undone. */
  readonly job: Job;
}

/** Resolves when nothing is left to do, or after a second with the rest still under way. Never rejects. */
type Wake = () => Promise<void>;

interface Options {
  slices: Slices;
  monotonic: () => number;
  log: Pick<Logger, 'error'>;
}

/** How long whoever left something to do waits for it. */
const maxWaitMs = 1_000;

/**
 * What is left to do after an answer: the rows of a deleted thing, the links of a domain that is gone. It stands in the
 * database, in the transaction that made it necessary, so a crash or a stop loses none of it.
 */
export function backlog({ slices, monotonic, log }: Options): Backlog {
  const wakes: Wake[] = [];

  function add({ name, step, transactions }: Chore): Wake {
    let isWorking = false;
    let isWoken = false;
    let waiting: { until: number; resolve: () => void }[] = [];

    function watched(): boolean {
      const now = monotonic();
      const impatient = waiting.filter(({ until }) => until <= now);
      waiting = waiting.filter(({ until }) => until > now);
      for (const { resolve } of impatient) resolve();
      return step();
    }

    async function work(): Promise<void> {
      try {
        while (isWoken) {
          isWoken = false;
          if (!(await slices.run(watched, transactions))) return;
        }
      } catch (err) {
        log.error({ err, work: name }, 'background work failed; it is retried within a minute');
      } finally {
        isWorking = false;
        for (const { resolve } of waiting.splice(0)) resolve();
      }
    }

    function wake(): Promise<void> {
      isWoken = true;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ until: monotonic() + maxWaitMs, resolve });
      if (!isWorking) {
        isWorking = true;
        void work();
      }
      return promise;
    }

    wakes.push(wake);
    return wake;
  }

  return {
    add,
    job: {
      name: 'backlog',
      intervalMs: () => 60_000,
      firstMs: 0,
      async run() {
        await Promise.all(wakes.map((wake) => wake()));
      },
    },
  };
}
