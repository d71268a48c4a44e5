import type { Connection } from './connect.ts';

export interface Transactions {
  /**
   * Runs synchronous work in one immediate transaction; a throw rolls all of it back. Inside another one it is a
   * savepoint: whoever goes on after an error wraps what may have thrown, so that no half of it is committed.
   */
  atomically<Result>(work: () => Result): Result;
  /**
   * The same, but a power cut may take it until `makeDurable`: for the slices of a long work, each of which would
   * otherwise hold everybody up until the disk has it.
   */
  provisionally<Result>(work: () => Result): Result;
  /**
   * Everything that was committed before survives a power cut from now on, where that is what the connection is for.
   */
  makeDurable(): void;
  /** Does the work for real and rolls it back: what a dry run says is what would happen. */
  rehearse<Result>(work: () => Result): Result;
}

/** What is done around each commit. */
interface Surroundings {
  /** Told of each. */
  afterCommit?: () => void;
  /** Asked before each, and may throw while nothing is written. */
  beforeCommit?: () => void;
  /** Runs the work within the transaction, and may throw at its end. */
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
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  /** Whether a power cut may still take what provisional work has written. */
  let isPending = false;

  return {
    atomically,
    provisionally<Result>(work: () => Result): Result {
      if (!isFull) return atomically(work);
      const before = changes.get();
      database.pragma('synchronous = NORMAL');
      try {
        return atomically(work);
      } finally {
        database.pragma('synchronous = FULL');
        if (changes.get() !== before) isPending = true;
      }
    },
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
