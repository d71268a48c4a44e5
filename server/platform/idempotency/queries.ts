import type { Connection } from '../database/connect.ts';

/** A stored response: the message and details of an error, or the body of a success. */
interface StoredReply {
  body: Buffer;
  status: number;
  reply: string;
  at: number;
}

/** SQL of the stored responses. */
export function idempotencyQueries(database: Connection) {
  const find = database.prepare<[number, Buffer], StoredReply>(
    'SELECT body, status, reply, at FROM idempotent_replies WHERE user_id = ? AND key = ?',
  );
  const store = database.prepare<[StoredReply & { user: number; key: Buffer }]>(
    `INSERT INTO idempotent_replies (user_id, key, body, status, reply, at) VALUES (@user, @key, @body, @status, @reply, @at)
     ON CONFLICT (user_id, key) DO UPDATE SET
       body = excluded.body, status = excluded.status, reply = excluded.reply, at = excluded.at`,
  );
  // Maintained by triggers: scanning the responses themselves takes milliseconds.
  const count = database
    .prepare<[number], number>('SELECT total FROM idempotent_counts WHERE user_id = ?')
    .pluck();
  const removeSome = database.prepare<[number, number]>(
    `DELETE FROM idempotent_replies WHERE (user_id, key) IN
       (SELECT user_id, key FROM idempotent_replies WHERE at < ? ORDER BY at LIMIT ?)`,
  );
  return {
    find: (user: number, key: Buffer): StoredReply | undefined => find.get(user, key),
    store: (row: StoredReply & { user: number; key: Buffer }): void => void store.run(row),
    /** Whether an account has `most` responses or more. */
    isFull: (user: number, most: number): boolean => (count.get(user) ?? 0) >= most,
    /** Deletes up to `limit` responses older than `at`; returns how many. */
    removeOlder: (at: number, limit: number): number => removeSome.run(at, limit).changes,
  };
}

export type IdempotencyQueries = ReturnType<typeof idempotencyQueries>;
