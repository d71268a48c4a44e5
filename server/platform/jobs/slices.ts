import { AsyncResource } from 'node:async_hooks';
import type { Transactions } from '../database/transactions.ts';

/** One step of longer work, a fraction of a millisecond; false once nothing is left to do. */
export type Step = () => boolean;

export interface Slices {
  /**
   * Runs steps until none is left. As many as fit into a few milliseconds form one transaction, and other work runs in
   * between. Once it resolves to true, all of it survives a power failure. Resolves to false if the server stops
   * first; rejects with a step's error, whose slice is rolled back.
   */
  run(step: Step, transactions?: Transactions): Promise<boolean>;
  /** Ends all work after the current slice. */
  close(): Promise<void>;
}

interface Options {
  /** Of the connection that most work writes to. */
  transactions: Transactions;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  /** Whether the write-ahead log must be written back before more is added. */
  mustWait?: () => boolean;
  /** Asked once per round of the event loop: whether it is left to others. */
  givesWay?: () => boolean;
}

/** How long the steps of a slice may delay redirects, not including its commit. */
const sliceMs = 2;
/** The maximum number of steps per slice, however short. */
const mostSteps = 200;
/** How long all work waits for the log to be written back before checking again. */
const waitMs = 5;

interface Work {
  /**
   * Runs the steps of one slice in the context of the request that started the work, which determines its author and
   * whether they still have permission. Returns whether there is more to do.
   */
  doSlice: () => boolean;
  /** Has all of it survive a power failure. */
  finish: () => void;
  over: PromiseWithResolvers<boolean>;
}

/**
 * Runs long work one slice at a time on the redirect thread. All such work of the server alternates here: each turn of
 * the event loop runs one slice, and no work waits for another to finish.
 */
export function slices({
  transactions: usual,
  monotonic,
  mustWait = () => false,
  givesWay = () => false,
}: Options): Slices {
  const works: Work[] = [];
  let isWaiting = false;
  let isClosed = false;

  function wait(): void {
    if (isWaiting || works.length === 0) return;
    isWaiting = true;
    const next = () => {
      isWaiting = false;
      doSlice();
      wait();
    };
    if (mustWait()) setTimeout(next, waitMs);
    // After the requests that arrived meanwhile have been answered.
    else setImmediate(next);
  }

  function doSlice(): void {
    if (isClosed || mustWait() || givesWay()) return;
    const work = works.shift();
    if (!work) return;
    try {
      if (work.doSlice()) works.push(work);
      else {
        work.finish();
        work.over.resolve(true);
      }
    } catch (error) {
      work.over.reject(error);
    }
  }

  /** Returns whether there is more to do. */
  function takeSteps(step: Step): boolean {
    const end = monotonic() + sliceMs;
    for (let taken = 0; taken < mostSteps; taken += 1) {
      if (!step()) return false;
      if (monotonic() >= end) return true;
    }
    return true;
  }

  function endAll(): void {
    for (const { over } of works.splice(0)) over.resolve(false);
  }

  return {
    run(step, transactions = usual) {
      if (isClosed) return Promise.resolve(false);
      const over = Promise.withResolvers<boolean>();
      let hasChanges = false;
      const doSlice = AsyncResource.bind(() => {
        const before = transactions.changes();
        const isUnfinished = transactions.provisionally(() => takeSteps(step));
        hasChanges ||= transactions.changes() !== before;
        return isUnfinished;
      });
      // What only looked whether there is something to do does not wait for the disk because of what others changed.
      const finish = () => hasChanges && transactions.makeDurable();
      works.push({ doSlice, finish, over });
      wait();
      return over.promise;
    },
    async close() {
      isClosed = true;
      endAll();
    },
  };
}
