import type { Connection } from '../../platform/database/connect.ts';

export interface IdentityRow {
  id: number;
  user_id: number;
  issuer: string;
  subject: string;
  label: string;
  created_at: number;
  last_used_at: number | null;
}

export type NewIdentity = Pick<IdentityRow, 'issuer' | 'subject' | 'label'> & {
  userId: number;
  createdAt: number;
};

/** SQL of identities at providers. */
export function identityQueries(database: Connection) {
  const insert = database.prepare<[NewIdentity]>(
    `INSERT INTO identities (user_id, issuer, subject, label, created_at)
     VALUES (@userId, @issuer, @subject, @label, @createdAt) ON CONFLICT (issuer, subject) DO NOTHING`,
  );
  const find = database.prepare<[string, string], IdentityRow>(
    'SELECT * FROM identities WHERE issuer = ? AND subject = ?',
  );
  const own = database.prepare<[number, number], IdentityRow>(
    'SELECT * FROM identities WHERE id = ? AND user_id = ?',
  );
  const list = database.prepare<[number, number, number], IdentityRow>(
    'SELECT * FROM identities WHERE user_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
  );
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM identities WHERE user_id = ?')
    .pluck();
  const use = database.prepare<[number, string, number]>(
    'UPDATE identities SET last_used_at = ?, label = ? WHERE id = ?',
  );
  const remove = database.prepare<[number, number]>('DELETE FROM identities WHERE id = ? AND user_id = ?');
  const administrators = database
    .prepare<[string], number>(
      `SELECT count(*) FROM users WHERE admin = 1 AND active = 1
       AND EXISTS (SELECT 1 FROM identities WHERE user_id = users.id AND issuer = ?)`,
    )
    .pluck();
  return {
    /** Returns the new id, or undefined if this identity already exists. */
    insert(identity: NewIdentity): number | undefined {
      const { changes, lastInsertRowid } = insert.run(identity);
      return changes > 0 ? Number(lastInsertRowid) : undefined;
    },
    find: (issuer: string, subject: string): IdentityRow | undefined => find.get(issuer, subject),
    findOwn: (id: number, userId: number): IdentityRow | undefined => own.get(id, userId),
    list: (userId: number, limit: number, offset: number): { rows: IdentityRow[]; total: number } => ({
      rows: list.all(userId, limit, offset),
      total: count.get(userId) ?? 0,
    }),
    count: (userId: number): number => count.get(userId) ?? 0,
    noteUse: (id: number, label: string, at: number): void => void use.run(at, label, id),
    remove: (id: number, userId: number): boolean => remove.run(id, userId).changes > 0,
    /** Administrators who can sign in with this provider. */
    countAdministrators: (issuer: string): number => administrators.get(issuer) ?? 0,
  };
}

export type IdentityQueries = ReturnType<typeof identityQueries>;

/**
 * The provider's settings, and its client secret, encrypted by the vault; both are stored separately from other
 * settings.
 */
export function providerQueries(database: Connection) {
  const find = database.prepare<[string], string>('SELECT value FROM settings WHERE name = ?').pluck();
  const put = database.prepare<[string, string]>(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const remove = database.prepare<[string]>('DELETE FROM settings WHERE name = ?');
  return {
    /** As JSON; undefined if there are none. */
    findSettings: (): string | undefined => find.get('singleSignOn'),
    putSettings: (json: string): void => void put.run('singleSignOn', json),
    findSecret(): string | undefined {
      const value = find.get('singleSignOnSecret');
      return value === undefined ? undefined : (JSON.parse(value) as string);
    },
    putSecret: (sealed: string): void => void put.run('singleSignOnSecret', JSON.stringify(sealed)),
    removeSecret: (): void => void remove.run('singleSignOnSecret'),
  };
}

export type ProviderQueries = ReturnType<typeof providerQueries>;
