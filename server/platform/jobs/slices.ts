import { AsyncResource } from 'node:async_hooks';
import type { Transactions } from '../database/transactions.ts';

/** One piece of a longer work, a fraction of a millisecond; false once nothing is left to do. */
export type Step = () => boolean;

export interface Slices {
  /**
   * Takes steps until none is left. As many as fit into a few milliseconds are one transaction, and between two of
   * these everybody else gets a turn. When it resolves to true, all of it survives a power cut. Resolves to false when
   * the server stops before the end; rejects with what a step throws, whose slice is then rolled back.
   */
  run(step: Step, transactions?: Transactions): Promise<boolean>;
  /** Ends all works after the slice under way. */
  close(): Promise<void>;
}

interface Options {
  /** Of the connection that most works write on. */
  transactions: Transactions;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  /** Whether the write-ahead log has to be written back before more is added to it. */
  mustWait?: () => boolean;
}

/** How long the steps of one slice may hold up redirects; its commit comes on top. */
const sliceMs = 2;
/** Steps of one slice at most, however short they are. */
const mostSteps = 200;
/** How long all works wait for the log to be written back before they look again. */
const waitMs = 5;

interface Work {
  /**
   * Takes the steps of one slice, as the request that asked for the work: who wrote is noted by it, and whether they
   * still may is asked for it. Returns whether there is more to do.
   */
  doSlice: () => boolean;
  transactions: Transactions;
  over: PromiseWithResolvers<boolean>;
}

/**
 * Does long works a slice at a time on the thread that answers redirects. All works of the server take their turns
 * here, so that however many there are, one turn of the event loop has one slice, and none waits for the end of
 * another.
 */
export function slices({ transactions: usual, monotonic, mustWait = () => false }: Options): Slices {
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
    // After what has arrived meanwhile was answered.
    else setImmediate(next);
  }

  function doSlice(): void {
    if (isClosed || mustWait()) return;
    const work = works.shift();
    if (!work) return;
    try {
      if (work.doSlice()) works.push(work);
      else {
        work.transactions.makeDurable();
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
      const doSlice = AsyncResource.bind(() => transactions.provisionally(() => takeSteps(step)));
      works.push({ doSlice, transactions, over });
      wait();
      return over.promise;
    },
    async close() {
      isClosed = true;
      endAll();
    },
  };
}
