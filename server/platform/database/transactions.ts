import type { Connection } from './connect.ts';

export interface Transactions {
  /**
   * Runs synchronous work in one immediate transaction; a throw rolls all of it back. Nested calls are savepoints:
   * code that continues after an error must wrap the part that may throw, so that no half of it is committed.
   */
  atomically<Result>(work: () => Result): Result;
  /**
   * The same, but a power failure may undo it until `makeDurable`: for the slices of long-running work, each of which
   * would otherwise block everyone until it is synced.
   */
  provisionally<Result>(work: () => Result): Result;
  /** How many rows were changed through the connection since it was opened, those that were rolled back included. */
  changes(): number;
  /** Everything committed before survives a power failure from now on, if the connection is meant to guarantee that. */
  makeDurable(): void;
  /** Runs the work and rolls it back, so that the result of a dry run is exact. */
  rehearse<Result>(work: () => Result): Result;
}

/** Hooks around each commit. */
interface Surroundings {
  /** Called after each. */
  afterCommit?: () => void;
  /** Called before each, and may throw before anything is written. */
  beforeCommit?: () => void;
  /** Runs the work inside the transaction, and may throw at its end. */
  runWork?: <Result>(work: () => Result) => Result;
}

/** The two ways to run work on a connection. */
export function transactions(
  database: Connection,
  { afterCommit = () => {}, beforeCommit = () => {}, runWork = (work) => work() }: Surroundings = {},
): Transactions {
  function atomically<Result>(work: () => Result): Result {
    const isWhole = !database.inTransaction;
    // No other code runs between this and the commit: a transaction is synchronous.
    if (isWhole) beforeCommit();
    const result = database.transaction(isWhole ? () => runWork(work) : work).immediate();
    if (isWhole) afterCommit();
    return result;
  }
  const full = 2;
  const isFull = database.pragma('synchronous', { simple: true }) === full;
  const counter = database.prepare<[], number>('SELECT total_changes()').pluck();
  const changes = () => counter.get() ?? 0;
  /** Whether a power failure could still undo provisional work. */
  let isPending = false;

  return {
    atomically,
    provisionally<Result>(work: () => Result): Result {
      if (!isFull) return atomically(work);
      const before = changes();
      database.pragma('synchronous = NORMAL');
      try {
        return atomically(work);
      } finally {
        database.pragma('synchronous = FULL');
        if (changes() !== before) isPending = true;
      }
    },
    changes,
    makeDurable() {
      // Work that found nothing to do makes no commit: it would wait for the disk, and what redirects remember would
      // go.
      if (!isFull || !isPending) return;
      // A commit of this connection syncs the log with everything in it; it takes a write, and this one changes
      // nothing.
      const version = Number(database.pragma('user_version', { simple: true }));
      database.pragma(`user_version = ${version}`);
      isPending = false;
      afterCommit();
    },
    rehearse<Result>(work: () => Result): Result {
      const rollBack = new Error('dry run');
      let result: { value: Result } | undefined;
      try {
        atomically(() => {
          result = { value: work() };
          throw rollBack;
        });
      } catch (error) {
        if (error !== rollBack) throw error;
      }
      if (!result) throw new Error('the rehearsed work left no result');
      return result.value;
    },
  };
}
