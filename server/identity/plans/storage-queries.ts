import type { Connection } from '../../platform/database/connect.ts';

/** What an account's contents take. Bytes. */
export interface StoredBytes {
  files: number;
  pictures: number;
}

/** An account whose totals are not what its contents add up to. */
export interface StorageFault {
  userId: number;
  counted: number;
  stored: number;
}

/** SQL of the bytes that accounts store; triggers of the database keep the totals. */
export function storageQueries(database: Connection) {
  const find = database.prepare<[number], StoredBytes>(
    'SELECT files, pictures FROM stored_bytes WHERE user_id = ?',
  );
  const waiting = database
    .prepare<[number], number>(
      'SELECT ifnull(sum(length(body)), 0) FROM page_pictures WHERE user_id = ? AND uploaded_at IS NOT NULL',
    )
    .pluck();
  const newest = database.prepare<[], number | null>('SELECT max(id) FROM page_pictures').pluck();
  const dropWaiting = database.prepare<[number, number]>(
    `DELETE FROM page_pictures WHERE id = (
       SELECT id FROM page_pictures WHERE user_id = ? AND id <= ? AND uploaded_at IS NOT NULL ORDER BY id LIMIT 1)`,
  );
  return {
    find: (userId: number): StoredBytes => find.get(userId) ?? { files: 0, pictures: 0 },
    /** The id of the newest picture; 0 if there is none. */
    newestPicture: (): number => newest.get() ?? 0,
    /** Bytes of the uploaded pictures of an account that nothing has shown yet. */
    waiting: (userId: number): number => waiting.get(userId) ?? 0,
    /** Deletes an account's oldest unused upload, up to an id; false if there is none. */
    dropWaiting: (userId: number, upTo: number): boolean => dropWaiting.run(userId, upTo).changes === 1,
  };
}

export type StorageQueries = ReturnType<typeof storageQueries>;

/** Every account whose totals are wrong. Reads all contents' sizes. */
export function findStorageFaults(database: Connection): StorageFault[] {
  return database
    .prepare<[], StorageFault>(
      `SELECT users.id AS userId, ifnull(counted, 0) AS counted, ifnull(stored, 0) AS stored
       FROM users
         LEFT JOIN (SELECT user_id, files + pictures AS counted FROM stored_bytes) AS figures
           ON figures.user_id = users.id
         LEFT JOIN (SELECT user_id, sum(files) + sum(pictures) AS stored FROM stored_contents GROUP BY user_id) AS sums
           ON sums.user_id = users.id
       WHERE ifnull(counted, 0) <> ifnull(stored, 0)`,
    )
    .all();
}
