import type { Connection } from '../../platform/database/connect.ts';

export interface NewPasskey {
  userId: number;
  /** In base64url. */
  credentialId: string;
  /** COSE. */
  publicKey: Buffer;
  counter: number;
  /** The host name that it is bound to. */
  rpId: string;
  /** In base64url. */
  userHandle: string;
  /** A JSON list. */
  transports: string;
  backedUp: 0 | 1;
  name: string;
  createdAt: number;
}

export interface PasskeyRow {
  id: number;
  user_id: number;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  rp_id: string;
  user_handle: string;
  transports: string;
  backed_up: 0 | 1;
  name: string;
  created_at: number;
  last_used_at: number | null;
  version: number;
}

interface Use {
  id: number;
  /** The counter that was compared with. */
  before: number;
  counter: number;
  backedUp: 0 | 1;
  at: number;
}

/** SQL of passkeys. */
export function passkeyQueries(database: Connection) {
  const insert = database.prepare<[NewPasskey]>(
    `INSERT INTO passkeys (user_id, credential_id, public_key, counter, rp_id, user_handle, transports, backed_up, name, created_at)
     VALUES (@userId, @credentialId, @publicKey, @counter, @rpId, @userHandle, @transports, @backedUp, @name, @createdAt)
     ON CONFLICT (credential_id) DO NOTHING`,
  );
  const byCredential = database.prepare<[string, string], PasskeyRow>(
    'SELECT * FROM passkeys WHERE credential_id = ? AND rp_id = ?',
  );
  const own = database.prepare<[number, number], PasskeyRow>(
    'SELECT * FROM passkeys WHERE id = ? AND user_id = ?',
  );
  const all = database.prepare<[number], PasskeyRow>('SELECT * FROM passkeys WHERE user_id = ?');
  const list = database.prepare<[number, number, number], PasskeyRow>(
    'SELECT * FROM passkeys WHERE user_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
  );
  const count = database.prepare<[number], number>('SELECT count(*) FROM passkeys WHERE user_id = ?').pluck();
  const rename = database.prepare<[string, number, number]>(
    'UPDATE passkeys SET name = ? WHERE id = ? AND user_id = ?',
  );
  const use = database.prepare<[Use]>(
    `UPDATE passkeys SET counter = @counter, backed_up = @backedUp, last_used_at = @at
     WHERE id = @id AND counter = @before`,
  );
  const remove = database.prepare<[number, number]>('DELETE FROM passkeys WHERE id = ? AND user_id = ?');
  return {
    /** Returns the new id, or undefined if this credential already exists. */
    insert(passkey: NewPasskey): number | undefined {
      const { changes, lastInsertRowid } = insert.run(passkey);
      return changes > 0 ? Number(lastInsertRowid) : undefined;
    },
    findByCredential: (credentialId: string, rpId: string): PasskeyRow | undefined =>
      byCredential.get(credentialId, rpId),
    find: (id: number, userId: number): PasskeyRow | undefined => own.get(id, userId),
    allOf: (userId: number): PasskeyRow[] => all.all(userId),
    list: (userId: number, limit: number, offset: number): { rows: PasskeyRow[]; total: number } => ({
      rows: list.all(userId, limit, offset),
      total: count.get(userId) ?? 0,
    }),
    count: (userId: number): number => count.get(userId) ?? 0,
    rename: (id: number, userId: number, name: string): boolean => rename.run(name, id, userId).changes > 0,
    /** Records a sign-in; false if another one came first, or the passkey was deleted. */
    noteUse: (signIn: Use): boolean => use.run(signIn).changes > 0,
    remove: (id: number, userId: number): boolean => remove.run(id, userId).changes > 0,
  };
}

export type PasskeyQueries = ReturnType<typeof passkeyQueries>;
