import type { Connection } from '../../platform/database/connect.ts';

/** Open codes per person: as many as are mailed to one address in an hour. */
const mostOpen = 5;

/** SQL of the codes that were mailed to people who forgot their password. */
export function passwordResetQueries(database: Connection) {
  const insert = database.prepare<[number, Buffer, number]>(
    'INSERT INTO password_resets (user_id, hash, expires_at) VALUES (?, ?, ?)',
  );
  const trim = database.prepare<[{ user: number; now: number }]>(
    `DELETE FROM password_resets WHERE expires_at <= @now OR (user_id = @user AND id NOT IN (
       SELECT id FROM password_resets WHERE user_id = @user ORDER BY id DESC LIMIT ${mostOpen}))`,
  );
  const open = database
    .prepare<[Buffer, number], number>(
      'SELECT user_id FROM password_resets WHERE hash = ? AND expires_at > ?',
    )
    .pluck();
  const use = database
    .prepare<[Buffer, number], number>(
      'DELETE FROM password_resets WHERE hash = ? AND expires_at > ? RETURNING user_id',
    )
    .pluck();
  return {
    insert(userId: number, hash: Buffer, expiresAt: number, now: number): void {
      insert.run(userId, hash, expiresAt);
      trim.run({ user: userId, now });
    },
    isOpen: (hash: Buffer, now: number): boolean => open.get(hash, now) !== undefined,
    /** Uses a code; returns its owner, undefined if it is invalid or was used before. */
    use: (hash: Buffer, now: number): number | undefined => use.get(hash, now),
  };
}

export type PasswordResetQueries = ReturnType<typeof passwordResetQueries>;
