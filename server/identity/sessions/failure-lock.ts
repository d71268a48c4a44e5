import type { Connection } from '../../platform/database/connect.ts';

const minute = 60_000;
/** Five failures from one network in 15 minutes lock a check for it for 15 minutes (decision 0007). */
const allowedFailures = 5;
const windowMs = 15 * minute;
/**
 * This many failures in an hour, across all networks, lock a check for unknown networks. For codes, this equals five
 * per 15 minutes: with more, guessing six digits from many addresses would be feasible (T-12).
 */
const allowedInAll = { password: 100, code: 20 } as const;
const hourMs = 60 * minute;
/** For how long a network is known after a sign-in from it, and how many are remembered of one account. */
const knownMs = 30 * 24 * 60 * minute;
const mostKnown = 50;
/** So many wrong codes in a row, however long it took, and a code alone proves nothing any more (T-12). */
const longestRow = 20;
/** Failures stored for unknown logins: anyone can invent any number of those. */
const mostOfStrangers = 10_000;
const strangersAtOnce = 1_000;

type FailureKind = keyof typeof allowedInAll;

/** Whom failures are counted for: an account, or a login that belongs to none. Both lock alike. */
type Subject = { userId: number } | { login: string };

export interface FailureLock {
  /** Seconds for which this check stays locked for a network, 0 when it is open. */
  lockedFor(subject: Subject, kind: FailureKind, network: string): number;
  /** Counts one attempt from a network as failed; `succeed` takes it back. */
  note(subject: Subject, kind: FailureKind, network: string): void;
  /** Forgets what failed from a network, after a success from there. */
  succeed(subject: Subject, kind: FailureKind, network: string): void;
  /** Records a sign-in from a network. */
  know(userId: number, network: string): void;
  /** Whether the person signed in from a network in the last 30 days, or from any. */
  knows(userId: number, network: string): boolean;
  knowsAny(userId: number): boolean;
  /** Counts a wrong code into the account's row of them. */
  lengthenRow(userId: number): void;
  /** Whether there were so many wrong codes in a row that the password is needed too. */
  isRowFull(userId: number): boolean;
  /** Ends the row, by a right code or the right password. */
  endRow(userId: number): void;
}

/**
 * Counts wrong passwords and codes by account and network in the database, so that a restart does not reset them and
 * strangers lock out only themselves. Unknown logins are locked in the same way, or the lock would reveal which
 * accounts exist. Failures far in the future do not count: the clock was wrong then, and they would lock until that
 * time.
 */
export function failureLock(database: Connection, now: () => number): FailureLock {
  const latest = database
    .prepare<[string, FailureKind, string, number, number], number>(
      'SELECT at FROM failures WHERE subject = ? AND kind = ? AND network = ? AND at < ? ORDER BY at DESC LIMIT ?',
    )
    .pluck();
  const latestInAll = database
    .prepare<[string, FailureKind, number, number, number], number>(
      `SELECT at FROM failures WHERE subject = ? AND kind = ? AND at > ? AND at < ?
       ORDER BY at DESC LIMIT 1 OFFSET ?`,
    )
    .pluck();
  const insert = database.prepare<[string, FailureKind, string, number]>(
    'INSERT INTO failures (subject, kind, network, at) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare<[string, FailureKind, string]>(
    'DELETE FROM failures WHERE subject = ? AND kind = ? AND network = ?',
  );
  const sweep = database.prepare<[number, number]>('DELETE FROM failures WHERE at <= ? OR at >= ?');
  const strangers = "subject >= 'login ' AND subject < 'login!'";
  const countOfStrangers = database
    .prepare<[], number>(`SELECT count(*) FROM failures WHERE ${strangers}`)
    .pluck();
  const trimStrangers = database.prepare<[number]>(
    `DELETE FROM failures WHERE id IN (SELECT id FROM failures WHERE ${strangers} ORDER BY id LIMIT ?)`,
  );
  const known = database
    .prepare<[number, string, number], 1>(
      'SELECT 1 FROM known_networks WHERE user_id = ? AND network = ? AND at > ?',
    )
    .pluck();
  const knownAny = database.prepare<[number], 1>('SELECT 1 FROM known_networks WHERE user_id = ?').pluck();
  const know = database.prepare<[number, string, number]>(
    `INSERT INTO known_networks (user_id, network, at) VALUES (?, ?, ?)
     ON CONFLICT (user_id, network) DO UPDATE SET at = excluded.at`,
  );
  const forgetOld = database.prepare<[{ user: number; until: number }]>(
    `DELETE FROM known_networks WHERE user_id = @user AND (at <= @until OR network NOT IN (
       SELECT network FROM known_networks WHERE user_id = @user ORDER BY at DESC LIMIT ${mostKnown}))`,
  );
  const lengthen = database.prepare<[number]>(
    `INSERT INTO code_rows (user_id, length) VALUES (?, 1)
     ON CONFLICT (user_id) DO UPDATE SET length = min(length + 1, ${longestRow})`,
  );
  const rowLength = database
    .prepare<[number], number>('SELECT length FROM code_rows WHERE user_id = ?')
    .pluck();
  const endRow = database.prepare<[number]>('DELETE FROM code_rows WHERE user_id = ?');

  function lockedInAll(subject: Subject, kind: FailureKind, network: string): number {
    const at = now();
    const decisive = latestInAll.get(
      nameOf(subject),
      kind,
      at - hourMs,
      at + windowMs,
      allowedInAll[kind] - 1,
    );
    if (decisive === undefined) return 0;
    if ('userId' in subject && known.get(subject.userId, network, at - knownMs) !== undefined) return 0;
    return decisive + hourMs - at;
  }

  return {
    lockedFor(subject, kind, network) {
      const failures = latest.all(nameOf(subject), kind, network, now() + windowMs, allowedFailures);
      const [last, first] = [failures[0], failures[allowedFailures - 1]];
      // The lock counts from the failure that closed it, not from the first of the five.
      const isClosed = last !== undefined && first !== undefined && last - first < windowMs;
      const here = isClosed ? last + windowMs - now() : 0;
      return Math.max(0, Math.ceil(Math.max(here, lockedInAll(subject, kind, network)) / 1000));
    },
    note(subject, kind, network) {
      sweep.run(now() - hourMs, now() + windowMs);
      if ('login' in subject && (countOfStrangers.get() ?? 0) >= mostOfStrangers)
        trimStrangers.run(strangersAtOnce);
      insert.run(nameOf(subject), kind, network, now());
    },
    succeed(subject, kind, network) {
      remove.run(nameOf(subject), kind, network);
    },
    know(userId, network) {
      know.run(userId, network, now());
      forgetOld.run({ user: userId, until: now() - knownMs });
    },
    knows: (userId, network) => known.get(userId, network, now() - knownMs) !== undefined,
    knowsAny: (userId) => knownAny.get(userId) !== undefined,
    lengthenRow: (userId) => void lengthen.run(userId),
    isRowFull: (userId) => (rowLength.get(userId) ?? 0) >= longestRow,
    endRow: (userId) => void endRow.run(userId),
  };
}

function nameOf(subject: Subject): string {
  return 'userId' in subject ? `user ${subject.userId}` : `login ${subject.login}`;
}
