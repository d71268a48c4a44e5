import type { Connection } from '../database/connect.ts';

/** An answer as it was given: of a refusal its message and details, of a success the reply. */
interface StoredReply {
  body: Buffer;
  status: number;
  reply: string;
  at: number;
}

/** SQL of the answers that are given again. */
export function idempotencyQueries(database: Connection) {
  const find = database.prepare<[number, Buffer], StoredReply>(
    'SELECT body, status, reply, at FROM idempotent_replies WHERE user_id = ? AND key = ?',
  );
  const store = database.prepare<[StoredReply & { user: number; key: Buffer }]>(
    `INSERT OR REPLACE INTO idempotent_replies (user_id, key, body, status, reply, at)
     VALUES (@user, @key, @body, @status, @reply, @at)`,
  );
  const rowAt = database.prepare<[number, number], unknown>(
    'SELECT 1 FROM idempotent_replies WHERE user_id = ? LIMIT 1 OFFSET ?',
  );
  const removeSome = database.prepare<[number, number]>(
    `DELETE FROM idempotent_replies WHERE (user_id, key) IN
       (SELECT user_id, key FROM idempotent_replies WHERE at < ? ORDER BY at LIMIT ?)`,
  );
  return {
    find: (user: number, key: Buffer): StoredReply | undefined => find.get(user, key),
    store: (row: StoredReply & { user: number; key: Buffer }): void => void store.run(row),
    /** Whether an account has `most` answers or more. */
    isFull: (user: number, most: number): boolean => rowAt.get(user, most - 1) !== undefined,
    /** Removes up to `limit` answers older than `at`; returns how many. */
    removeOlder: (at: number, limit: number): number => removeSome.run(at, limit).changes,
  };
}

export type IdempotencyQueries = ReturnType<typeof idempotencyQueries>;
