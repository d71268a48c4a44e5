import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { UserRecord, UserRow } from '../../platform/http/caller.ts';

interface NewUser {
  email: string;
  emailFolded: string;
  username: string;
  usernameFolded: string;
  name: string;
  passwordHash: string;
  admin: 0 | 1;
  planId: number;
  planExpiresAt: number | null;
  registeredAt: number;
  timezone: string;
  language: string;
  verified: 0 | 1;
}

const columns = `users.id, users.kind, users.trashed_at, email, username, name, password_hash, admin, users.active, verified, plan_id,
  plan_expires_at, registered_at, users.version, timezone, language, perpage, newsletter, brokenlinks_email, signin_email,
  domains_email, media, public, defaulttype, default_domain_id, avatar, address, users.parameters, totp_secret IS NOT NULL AS has_2fa,
  domains.host AS default_host`;
const source = 'users LEFT JOIN domains ON domains.id = users.default_domain_id';

const idListsSql = `SELECT json_group_array(id) AS ids FROM (
    SELECT id, (row_number() OVER (ORDER BY registered_at DESC, id DESC) - 1) / 2000 AS list FROM users
    WHERE kind = 'person' AND removed_at IS NULL AND (@email IS NULL OR email_folded = @email)
    ORDER BY registered_at DESC, id DESC
  ) GROUP BY list ORDER BY list`;

/** The list of people, who may be many, read in a worker thread. */
export function userLists(reader: Reader) {
  return {
    /** Ids of the personal accounts, newest first, or of the one with an address: JSON lists of some thousands. */
    async idLists(emailFolded: string | undefined): Promise<string[]> {
      const [rows = []] = await reader.read([{ sql: idListsSql, values: [{ email: emailFolded ?? null }] }]);
      return rows.map(({ ids }) => String(ids));
    },
  };
}

export type UserLists = ReturnType<typeof userLists>;

/** SQL of accounts. */
export function userQueries(database: Connection) {
  const insert = database.prepare<[NewUser]>(
    `INSERT INTO users (email, email_folded, username, username_folded, name, password_hash, admin, plan_id,
       plan_expires_at, registered_at, timezone, language, verified)
     VALUES (@email, @emailFolded, @username, @usernameFolded, @name, @passwordHash, @admin, @planId,
       @planExpiresAt, @registeredAt, @timezone, @language, @verified)`,
  );
  const update = database.prepare<[UserRecord & { id: number; emailFolded: string; usernameFolded: string }]>(
    // A user name that stays keeps its key, which may be that of migration 16.
    `UPDATE users SET email = @email, email_folded = @emailFolded, username = @username,
       username_folded = iif(username = @username, username_folded, @usernameFolded), name = @name, password_hash = @password_hash, admin = @admin,
       active = @active, verified = @verified, plan_id = @plan_id, plan_expires_at = @plan_expires_at,
       timezone = @timezone, language = @language, perpage = @perpage, newsletter = @newsletter, brokenlinks_email = @brokenlinks_email,
       signin_email = @signin_email, domains_email = @domains_email,
       media = @media, public = @public, defaulttype = @defaulttype, default_domain_id = @default_domain_id,
       avatar = @avatar, address = @address
     WHERE id = @id`,
  );
  const any = database.prepare<[], { found: 1 }>('SELECT 1 AS found FROM users LIMIT 1');
  const byId = database.prepare<[number], UserRow>(
    `SELECT ${columns} FROM ${source} WHERE users.id = ? AND users.removed_at IS NULL`,
  );
  const byLogin = database.prepare<[string, string], UserRow>(
    `SELECT ${columns} FROM ${source} WHERE (email_folded = ? OR username_folded = ?) AND users.kind = 'person'`,
  );
  const after = database.prepare<[number], UserRow>(
    `SELECT ${columns} FROM ${source} WHERE users.id > ? AND users.removed_at IS NULL ORDER BY users.id LIMIT 1`,
  );
  const setPassword = database.prepare<[string, number]>('UPDATE users SET password_hash = ? WHERE id = ?');
  const setMailerKey = database.prepare<[string | null, number]>(
    'UPDATE users SET mailer_key = ? WHERE id = ?',
  );
  const otherAdmins = database.prepare<[number], { total: number }>(
    'SELECT count(*) AS total FROM users WHERE admin = 1 AND active = 1 AND id <> ?',
  );
  const linksOf = database
    .prepare<[number], number>('SELECT live FROM link_counts WHERE user_id = ?')
    .pluck();
  return {
    insert: (user: NewUser): number => Number(insert.run(user).lastInsertRowid),
    update: (id: number, record: UserRecord, folded: { emailFolded: string; usernameFolded: string }) =>
      void update.run({ ...record, ...folded, id }),
    hasAny: (): boolean => any.get() !== undefined,
    find: (id: number): UserRow | undefined => byId.get(id),
    findByLogin: (folded: string): UserRow | undefined => byLogin.get(folded, folded),
    findAfter: (id: number): UserRow | undefined => after.get(id),
    setPassword: (id: number, hash: string) => void setPassword.run(hash, id),
    setMailerKey: (id: number, sealed: string | null) => void setMailerKey.run(sealed, id),
    /** Active administrators other than this account. */
    countOtherAdmins: (id: number): number => otherAdmins.get(id)?.total ?? 0,
    /** Links of one account, the trash not counted. */
    linkCount: (id: number): number => linksOf.get(id) ?? 0,
  };
}

export type UserQueries = ReturnType<typeof userQueries>;
