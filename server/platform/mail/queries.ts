import type { Connection } from '../database/connect.ts';

export interface OutboxRow {
  id: number;
  party: string;
  sealed: string;
  message_id: string;
  created_at: number;
  attempts: number;
}

export interface NewOutboxRow {
  party: string;
  sealed: string;
  messageId: string;
  at: number;
}

const columns = 'id, party, sealed, message_id, created_at, attempts';

/** SQL of the outbox and of the counts for its limits. */
export function outboxQueries(database: Connection) {
  const insert = database.prepare<[NewOutboxRow]>(
    `INSERT INTO outbox (party, turn, sealed, message_id, created_at, next_at)
     VALUES (@party, max(ifnull((SELECT min(turn) FROM outbox), 0),
       ifnull((SELECT max(turn) + 1 FROM outbox WHERE party = @party), 0)), @sealed, @messageId, @at, @at)`,
  );
  const due = database.prepare<[number, number], OutboxRow>(
    `SELECT ${columns} FROM outbox WHERE next_at <= ? ORDER BY turn, id LIMIT ?`,
  );
  const wait = database.prepare<[number, number]>(
    'UPDATE outbox SET attempts = attempts + 1, next_at = ? WHERE id = ?',
  );
  const remove = database.prepare<[number]>('DELETE FROM outbox WHERE id = ?');
  const removeOld = database.prepare<[number, number]>(
    'DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE created_at <= ? ORDER BY created_at LIMIT ?)',
  );
  const count = database.prepare<[], number>('SELECT count(*) FROM outbox').pluck();
  const countOf = database.prepare<[string], number>('SELECT count(*) FROM outbox WHERE party = ?').pluck();
  const note = database.prepare<[string, number]>('INSERT INTO mail_counts (party, at) VALUES (?, ?)');
  const counted = database
    .prepare<[string, number], number>('SELECT count(*) FROM mail_counts WHERE party = ? AND at > ?')
    .pluck();
  const newest = database
    .prepare<[string, number], number>(
      'SELECT at FROM mail_counts WHERE party = ? ORDER BY at DESC LIMIT 1 OFFSET ? - 1',
    )
    .pluck();
  const forget = database.prepare<[number, number]>(
    'DELETE FROM mail_counts WHERE rowid IN (SELECT rowid FROM mail_counts WHERE at <= ? ORDER BY at LIMIT ?)',
  );
  return {
    /** Adds a message after those of its party: parties alternate. */
    insert: (row: NewOutboxRow): void => void insert.run(row),
    due: (now: number, limit: number): OutboxRow[] => due.all(now, limit),
    wait: (id: number, nextAt: number): void => void wait.run(nextAt, id),
    remove: (id: number): void => void remove.run(id),
    /** Deletes some that are older than a timestamp; returns how many. */
    removeOld: (until: number, limit: number): number => removeOld.run(until, limit).changes,
    count: (): number => count.get() ?? 0,
    countOf: (party: string): number => countOf.get(party) ?? 0,
    /** Counts a party's message. */
    note: (party: string, at: number): void => void note.run(party, at),
    /** A party's messages since a timestamp. */
    counted: (party: string, since: number): number => counted.get(party, since) ?? 0,
    /** When a party's nth newest message was counted (1 is the newest); undefined if there are fewer. */
    newest: (party: string, place: number): number | undefined => newest.get(party, place),
    forget: (until: number, limit: number): number => forget.run(until, limit).changes,
  };
}

export type OutboxQueries = ReturnType<typeof outboxQueries>;

const passwordName = 'mailPassword';

/** The mail server's password, encrypted, with the host that it is for; stored separately from the settings. */
export function mailPasswordQueries(database: Connection) {
  const find = database.prepare<[string], string>('SELECT value FROM settings WHERE name = ?').pluck();
  const put = database.prepare<[string, string]>(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const remove = database.prepare<[string]>('DELETE FROM settings WHERE name = ?');
  return {
    find(): { host: string; sealed: string } | undefined {
      const value = find.get(passwordName);
      return value === undefined ? undefined : (JSON.parse(value) as { host: string; sealed: string });
    },
    put: (password: { host: string; sealed: string }): void =>
      void put.run(passwordName, JSON.stringify(password)),
    remove: (): void => void remove.run(passwordName),
  };
}

export type MailPasswordQueries = ReturnType<typeof mailPasswordQueries>;
