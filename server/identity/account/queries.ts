import type { Connection } from '../../platform/database/connect.ts';

export interface Picture {
  type: 'image/png' | 'image/jpeg';
  body: Buffer;
}

/** SQL of the pictures of accounts. */
export function avatarQueries(database: Connection) {
  const put = database.prepare<[number, string, Buffer]>(
    `INSERT INTO avatars (user_id, type, body) VALUES (?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET type = excluded.type, body = excluded.body`,
  );
  const remove = database.prepare<[number]>('DELETE FROM avatars WHERE user_id = ?');
  const find = database.prepare<[number, string], Picture>(
    `SELECT type, body FROM avatars JOIN users ON users.id = avatars.user_id
     WHERE users.id = ? AND users.avatar = ? AND users.active = 1`,
  );
  return {
    put: (userId: number, { type, body }: Picture) => void put.run(userId, type, body),
    remove: (userId: number) => void remove.run(userId),
    /** The picture of an account, if this is still its name. */
    find: (userId: number, name: string): Picture | undefined => find.get(userId, name),
  };
}

export type AvatarQueries = ReturnType<typeof avatarQueries>;
