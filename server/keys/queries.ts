import type { Connection } from '../database/connect.ts';

export type KeyKind = 'primary' | 'custom' | 'session';

export interface KeyRow {
  id: number;
  user_id: number;
  kind: KeyKind;
  name: string;
  prefix: string;
  scopes: string;
  ratelimit: number | null;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  last_address: string | null;
}

interface NewKey {
  userId: number;
  kind: KeyKind;
  name: string;
  hash: Buffer;
  prefix: string;
  createdAt: number;
  expiresAt: number | null;
}

const columns =
  'id, user_id, kind, name, prefix, scopes, ratelimit, created_at, expires_at, last_used_at, last_address';

/** SQL of API keys and sessions. */
export function keyQueries(database: Connection) {
  const insert = database.prepare<[NewKey]>(
    `INSERT INTO keys (user_id, kind, name, hash, prefix, created_at, expires_at)
     VALUES (@userId, @kind, @name, @hash, @prefix, @createdAt, @expiresAt)`,
  );
  const byHash = database.prepare<[Buffer], KeyRow>(`SELECT ${columns} FROM keys WHERE hash = ?`);
  const touch = database.prepare<[number, string | null, number | null, number]>(
    'UPDATE keys SET last_used_at = ?, last_address = ?, expires_at = ? WHERE id = ?',
  );
  const remove = database.prepare<[number]>('DELETE FROM keys WHERE id = ?');
  const removeOwn = database.prepare<[number, number, KeyKind]>(
    'DELETE FROM keys WHERE id = ? AND user_id = ? AND kind = ?',
  );
  const sweep = database.prepare<[number]>(`DELETE FROM keys WHERE kind = 'session' AND expires_at < ?`);
  const count = database.prepare<[number, KeyKind, number], { total: number }>(
    'SELECT count(*) AS total FROM keys WHERE user_id = ? AND kind = ? AND ifnull(expires_at, 9e15) > ?',
  );
  const list = database.prepare<[number, KeyKind, number, number, number], KeyRow>(
    `SELECT ${columns} FROM keys WHERE user_id = ? AND kind = ? AND ifnull(expires_at, 9e15) > ?
     ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  );
  return {
    insert: (key: NewKey): number => Number(insert.run(key).lastInsertRowid),
    findByHash: (hash: Buffer): KeyRow | undefined => byHash.get(hash),
    touch: (id: number, at: number, address: string | null, expiresAt: number | null) =>
      void touch.run(at, address, expiresAt, id),
    remove: (id: number): boolean => remove.run(id).changes > 0,
    removeOwn: (id: number, userId: number, kind: KeyKind): boolean =>
      removeOwn.run(id, userId, kind).changes > 0,
    removeExpiredSessions: (now: number): number => sweep.run(now).changes,
    count: (userId: number, kind: KeyKind, now: number): number => count.get(userId, kind, now)?.total ?? 0,
    list: (userId: number, kind: KeyKind, now: number, limit: number, offset: number): KeyRow[] =>
      list.all(userId, kind, now, limit, offset),
  };
}

export type KeyQueries = ReturnType<typeof keyQueries>;
