import type { Connection } from './connect.ts';

export interface Transactions {
  /**
   * Runs synchronous work in one immediate transaction; a throw rolls all of it back. Inside another one it is a
   * savepoint: whoever goes on after an error wraps what may have thrown, so that no half of it is committed.
   */
  atomically<Result>(work: () => Result): Result;
  /** Does the work for real and rolls it back: what a dry run says is what would happen. */
  rehearse<Result>(work: () => Result): Result;
}

/** The two ways to run work on a connection. `afterCommit` is told of each commit. */
export function transactions(database: Connection, afterCommit: () => void = () => {}): Transactions {
  function atomically<Result>(work: () => Result): Result {
    const result = database.transaction(work).immediate();
    if (!database.inTransaction) afterCommit();
    return result;
  }
  return {
    atomically,
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
