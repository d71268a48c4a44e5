import type { Logger } from 'pino';
import type { Transactions } from '../database/transactions.ts';
import type { Job } from './scheduler.ts';
import type { Slices, Step } from './slices.ts';

/** A type of work whose state is stored in the database only. */
interface Chore {
  name: string;
  /** Does one step of the pending work; false if none is pending. */
  step: Step;
  /** Of the connection that it writes to, if not the usual one. */
  transactions?: Transactions;
}

export interface Backlog {
  /** Returns a function that starts the chore: call it after the commit that created pending work. */
  add(chore: Chore): Wake;
  /** Resumes work interrupted by a stop or an error (a full disk). */
  readonly job: Job;
}

/** Resolves when nothing is pending, or after a second, while the rest continues. Never rejects. */
type Wake = () => Promise<void>;

interface Options {
  slices: Slices;
  monotonic: () => number;
  log: Pick<Logger, 'error'>;
}

/** How long the originator waits for it. */
const maxWaitMs = 1_000;

/**
 * Work that remains after a response: the rows of a deleted record, the links of a removed domain. It is recorded in
 * the database, in the transaction that caused it, so a crash or stop loses none of it.
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
