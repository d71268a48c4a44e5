import type { Connection } from '../database/connect.ts';

/** Five failures in 15 minutes lock a check for 15 minutes (decisions, section 2). */
const allowedFailures = 5;
const windowMs = 15 * 60_000;
/** So many wrong codes in a row, however long it took, and a code alone proves nothing any more (T-12). */
const longestRow = 20;

export type FailureKind = 'password' | 'code';

export interface FailureLock {
  /** Seconds for which this check stays locked, 0 when it is open. */
  lockedFor(subject: string, kind: FailureKind): number;
  /** Counts one attempt as failed and returns its id. */
  note(subject: string, kind: FailureKind): number;
  /** Takes an attempt back that turned out right. */
  forget(attempt: number): void;
  /** Counts a wrong code into the account's row of them. */
  lengthenRow(subject: string): void;
  /** Whether there were so many wrong codes in a row that the password is needed too. */
  isRowFull(subject: string): boolean;
  /** Ends the row, by a right code or the right password. */
  endRow(subject: string): void;
}

/**
 * Counts wrong passwords and codes in the database, so that a restart forgives nobody. A subject is an account, or a
 * login that belongs to none: those must lock alike, or the lock would tell which accounts exist.
 */
export function failureLock(database: Connection, now: () => number): FailureLock {
  const latest = database.prepare<[string, FailureKind, number], { at: number }>(
    'SELECT at FROM failures WHERE subject = ? AND kind = ? ORDER BY at DESC, id DESC LIMIT ?',
  );
  const insert = database.prepare<[string, FailureKind, number]>(
    'INSERT INTO failures (subject, kind, at) VALUES (?, ?, ?)',
  );
  const remove = database.prepare<[number]>('DELETE FROM failures WHERE id = ?');
  const sweep = database.prepare<[number]>(
    "DELETE FROM failures WHERE at <= ? AND subject NOT LIKE 'row of %'",
  );
  const countRow = database
    .prepare<[string], number>("SELECT count(*) FROM failures WHERE subject = ? AND kind = 'code'")
    .pluck();
  const endRow = database.prepare<[string]>("DELETE FROM failures WHERE subject = ? AND kind = 'code'");
  const isRowFull = (subject: string) => (countRow.get(rowOf(subject)) ?? 0) >= longestRow;
  return {
    lockedFor(subject, kind) {
      const failures = latest.all(subject, kind, allowedFailures);
      const [last, first] = [failures[0], failures[allowedFailures - 1]];
      // The lock counts from the failure that closed it, not from the first of the five.
      if (!last || !first || last.at - first.at >= windowMs) return 0;
      return Math.max(0, Math.ceil((last.at + windowMs - now()) / 1000));
    },
    note(subject, kind) {
      // A lock lasts one window, and the failures behind it lie in the window before.
      sweep.run(now() - 2 * windowMs);
      return Number(insert.run(subject, kind, now()).lastInsertRowid);
    },
    forget(attempt) {
      remove.run(attempt);
    },
    lengthenRow(subject) {
      // A full row is as full as it gets: guesses do not fill the disk.
      if (!isRowFull(subject)) insert.run(rowOf(subject), 'code', now());
    },
    isRowFull,
    endRow: (subject) => void endRow.run(rowOf(subject)),
  };
}

/** A row is kept under a name of its own: unlike the failures of the window it does not end with time. */
function rowOf(subject: string): string {
  return `row of ${subject}`;
}
