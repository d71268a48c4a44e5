import type { Connection } from '../database/connect.ts';

/** Five failures in 15 minutes lock a check for the rest of them (decisions, section 2). */
const allowedFailures = 5;
const windowMs = 15 * 60_000;

export type FailureKind = 'password' | 'code';

export interface FailureLock {
  /** Seconds for which this check stays locked, 0 when it is open. */
  lockedFor(subject: string, kind: FailureKind): number;
  /** Counts one attempt as failed and returns its id. */
  note(subject: string, kind: FailureKind): number;
  /** Takes an attempt back that turned out right. */
  forget(attempt: number): void;
}

/**
 * Counts wrong passwords and codes in the database, so that a restart forgives nobody. A subject is an account, or a
 * login that belongs to none: those must lock alike, or the lock would tell which accounts exist.
 */
export function failureLock(database: Connection, now: () => number): FailureLock {
  const recent = database.prepare<[string, FailureKind, number, number], { at: number }>(
    'SELECT at FROM failures WHERE subject = ? AND kind = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?',
  );
  const insert = database.prepare<[string, FailureKind, number]>(
    'INSERT INTO failures (subject, kind, at) VALUES (?, ?, ?)',
  );
  const remove = database.prepare<[number]>('DELETE FROM failures WHERE id = ?');
  const sweep = database.prepare<[number]>('DELETE FROM failures WHERE at <= ?');
  return {
    lockedFor(subject, kind) {
      const at = now();
      const fifth = recent.get(subject, kind, at - windowMs, allowedFailures - 1);
      return fifth ? Math.ceil((fifth.at + windowMs - at) / 1000) : 0;
    },
    note(subject, kind) {
      sweep.run(now() - windowMs);
      return Number(insert.run(subject, kind, now()).lastInsertRowid);
    },
    forget(attempt) {
      remove.run(attempt);
    },
  };
}
