import type { Connection } from '../database/connect.ts';

export interface UserRow {
  id: number;
  email: string;
  username: string;
  name: string;
  password_hash: string;
  admin: 0 | 1;
  active: 0 | 1;
  verified: 0 | 1;
  plan_id: number;
  plan_expires_at: number | null;
  registered_at: number;
  timezone: string;
  perpage: number;
  newsletter: 0 | 1;
  brokenlinks_email: 0 | 1;
  media: 0 | 1;
  public: 0 | 1;
  defaulttype: string;
  avatar: string | null;
  address: string;
  default_host: string | null;
}

interface NewUser {
  email: string;
  emailFolded: string;
  username: string;
  usernameFolded: string;
  name: string;
  passwordHash: string;
  admin: 0 | 1;
  planId: number;
  registeredAt: number;
  timezone: string;
}

const columns = `users.id, email, username, name, password_hash, admin, users.active, verified, plan_id,
  plan_expires_at, registered_at, timezone, perpage, newsletter, brokenlinks_email, media, public, defaulttype,
  avatar, address, domains.host AS default_host`;
const source = 'users LEFT JOIN domains ON domains.id = users.default_domain_id';

/** SQL of accounts. */
export function userQueries(database: Connection) {
  const insert = database.prepare<[NewUser]>(
    `INSERT INTO users (email, email_folded, username, username_folded, name, password_hash, admin, plan_id,
       registered_at, timezone)
     VALUES (@email, @emailFolded, @username, @usernameFolded, @name, @passwordHash, @admin, @planId,
       @registeredAt, @timezone)`,
  );
  const any = database.prepare<[], { found: 1 }>('SELECT 1 AS found FROM users LIMIT 1');
  const byId = database.prepare<[number], UserRow>(`SELECT ${columns} FROM ${source} WHERE users.id = ?`);
  const byLogin = database.prepare<[string, string], UserRow>(
    `SELECT ${columns} FROM ${source} WHERE email_folded = ? OR username_folded = ?`,
  );
  const setPassword = database.prepare<[string, number]>('UPDATE users SET password_hash = ? WHERE id = ?');
  return {
    insert: (user: NewUser): number => Number(insert.run(user).lastInsertRowid),
    hasAny: (): boolean => any.get() !== undefined,
    find: (id: number): UserRow | undefined => byId.get(id),
    findByLogin: (folded: string): UserRow | undefined => byLogin.get(folded, folded),
    setPassword: (id: number, hash: string) => void setPassword.run(hash, id),
  };
}

export type UserQueries = ReturnType<typeof userQueries>;
