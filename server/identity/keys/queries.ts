import type { Connection } from '../../platform/database/connect.ts';
import type { KeyKind, KeyRow } from '../../platform/http/caller.ts';

export interface NewKey {
  userId: number;
  /** The team in which it acts; null for the person's own account. */
  accountId: number | null;
  kind: KeyKind;
  name: string;
  hash: Buffer;
  prefix: string;
  scopes: string;
  ratelimit: number | null;
  createdAt: number;
  signedInAt: number | null;
  expiresAt: number | null;
}

/** The keys that a person can see: in one account, or in all if null. */
export interface Reach {
  user: number;
  account: number | null;
}

const columns =
  'id, user_id, account_id, kind, name, prefix, scopes, ratelimit, created_at, signed_in_at, expires_at, last_used_at, last_address, version';

/** SQL of API keys and sessions. */
export function keyQueries(database: Connection) {
  const insert = database.prepare<[NewKey]>(
    `INSERT INTO keys (user_id, account_id, kind, name, hash, prefix, scopes, ratelimit, created_at, signed_in_at,
       expires_at)
     VALUES (@userId, @accountId, @kind, @name, @hash, @prefix, @scopes, @ratelimit, @createdAt, @signedInAt,
       @expiresAt)`,
  );
  const byHash = database.prepare<[Buffer], KeyRow>(`SELECT ${columns} FROM keys WHERE hash = ?`);
  const primary = database.prepare<[number], KeyRow>(
    `SELECT ${columns} FROM keys WHERE user_id = ? AND kind = 'primary'`,
  );
  // A session is not an API key, though it lives in the same table.
  const isReached = "kind <> 'session' AND (@account IS NULL OR ifnull(account_id, user_id) = @account)";
  const apiKey = database.prepare<[Reach & { id: number }], KeyRow>(
    `SELECT ${columns} FROM keys WHERE id = @id AND user_id = @user AND ${isReached}`,
  );
  const anyApiKey = database.prepare<[number], KeyRow>(
    `SELECT ${columns} FROM keys WHERE id = ? AND kind <> 'session'`,
  );
  const update = database.prepare<[Pick<KeyRow, 'id' | 'name' | 'scopes' | 'ratelimit' | 'expires_at'>]>(
    `UPDATE keys SET name = @name, scopes = @scopes, ratelimit = @ratelimit, expires_at = @expires_at
     WHERE id = @id`,
  );
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
  const named = database
    .prepare<[number, string, number], 1>(
      "SELECT 1 FROM keys WHERE user_id = ? AND kind = 'session' AND name = ? AND ifnull(expires_at, 9e15) > ?",
    )
    .pluck();
  const countApi = database.prepare<[Reach], { total: number }>(
    `SELECT count(*) AS total FROM keys WHERE user_id = @user AND ${isReached}`,
  );
  const listApi = database.prepare<[Reach & { limit: number; offset: number }], KeyRow>(
    `SELECT ${columns} FROM keys WHERE user_id = @user AND ${isReached}
     ORDER BY created_at DESC, id DESC LIMIT @limit OFFSET @offset`,
  );
  const inAccount = database
    .prepare<[{ account: number; user: number | null }], number>(
      'SELECT id FROM keys WHERE account_id = @account AND (@user IS NULL OR user_id = @user)',
    )
    .pluck();
  const ids = database.prepare<[number], { id: number; kind: KeyKind }>(
    'SELECT id, kind FROM keys WHERE user_id = ?',
  );
  const idleSessions = database
    .prepare<[number, number], number>(
      `SELECT id FROM keys WHERE user_id = ? AND kind = 'session'
       ORDER BY ifnull(last_used_at, created_at) DESC, id DESC LIMIT -1 OFFSET ?`,
    )
    .pluck();
  return {
    insert: (key: NewKey): number => Number(insert.run(key).lastInsertRowid),
    findByHash: (hash: Buffer): KeyRow | undefined => byHash.get(hash),
    findPrimary: (userId: number): KeyRow | undefined => primary.get(userId),
    findApiKey: (id: number, reach: Reach): KeyRow | undefined => apiKey.get({ ...reach, id }),
    findAnyApiKey: (id: number): KeyRow | undefined => anyApiKey.get(id),
    update: (key: KeyRow) => {
      const { id, name, scopes, ratelimit, expires_at } = key;
      update.run({ id, name, scopes, ratelimit, expires_at });
    },
    touch: (id: number, at: number, address: string | null, expiresAt: number | null) =>
      void touch.run(at, address, expiresAt, id),
    remove: (id: number): boolean => remove.run(id).changes > 0,
    removeOwn: (id: number, userId: number, kind: KeyKind): boolean =>
      removeOwn.run(id, userId, kind).changes > 0,
    removeExpiredSessions: (now: number): number => sweep.run(now).changes,
    count: (userId: number, kind: KeyKind, now: number): number => count.get(userId, kind, now)?.total ?? 0,
    list: (userId: number, kind: KeyKind, now: number, limit: number, offset: number): KeyRow[] =>
      list.all(userId, kind, now, limit, offset),
    hasSession: (userId: number, name: string, now: number): boolean =>
      named.get(userId, name, now) !== undefined,
    countApiKeys: (reach: Reach): number => countApi.get(reach)?.total ?? 0,
    listApiKeys: (reach: Reach, limit: number, offset: number): KeyRow[] =>
      listApi.all({ ...reach, limit, offset }),
    /** Sessions of an account beyond so many, those that were idle for the longest time. */
    idleSessions: (userId: number, kept: number): number[] => idleSessions.all(userId, kept),
    /** Ids of the keys that act on a team, of one person or all. */
    idsIn: (account: number, user: number | null): number[] => inAccount.all({ account, user }),
    /** Every key and session of an account. */
    idsOf: (userId: number): { id: number; kind: KeyKind }[] => ids.all(userId),
  };
}

export type KeyQueries = ReturnType<typeof keyQueries>;
