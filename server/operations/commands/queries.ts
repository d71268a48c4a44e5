import { type ExportedLinkRow, exportedColumns, rowSource } from '../../content/links/queries.ts';
import type { Connection } from '../../platform/database/connect.ts';

export interface ListedUser {
  id: number;
  username: string;
  email: string;
  admin: 0 | 1;
  active: 0 | 1;
  second_factor: 0 | 1;
  links: number;
}

/** Accounts as a terminal lists them. */
export function listUsers(database: Connection): ListedUser[] {
  return database
    .prepare<[], ListedUser>(
      `SELECT id, username, email, admin, active, totp_secret IS NOT NULL AS second_factor,
         (SELECT count(*) FROM links WHERE links.user_id = users.id AND trashed_at IS NULL) AS links
       FROM users WHERE removed_at IS NULL AND kind = 'person' ORDER BY id`,
    )
    .all();
}

/** The account with a name, an e-mail address or an id; `folded` is the text as unique names are compared. */
export function findUserId(database: Connection, text: string, folded: string): number | undefined {
  return database
    .prepare<[string, string, string], number>(
      `SELECT id FROM users
       WHERE removed_at IS NULL AND kind = 'person' AND (username_folded = ? OR email_folded = ? OR CAST(id AS TEXT) = ?)`,
    )
    .pluck()
    .get(folded, folded, text);
}

export interface ListedKey {
  id: number;
  username: string;
  kind: string;
  name: string;
  prefix: string;
  scopes: string;
  expires_at: number | null;
  last_used_at: number | null;
}

/** API keys of one account or of all. Sessions are none. */
export function listKeys(database: Connection, userId: number | null): ListedKey[] {
  return database
    .prepare<[{ userId: number | null }], ListedKey>(
      `SELECT keys.id, username, keys.kind, keys.name, prefix, scopes, expires_at, last_used_at
       FROM keys JOIN users ON users.id = keys.user_id
       WHERE keys.kind <> 'session' AND (@userId IS NULL OR user_id = @userId) ORDER BY username, keys.id`,
    )
    .all({ userId });
}

/** The links of an account that are not in the trash, in the order in which they were made. */
export function exportedLinks(database: Connection, userId: number): IterableIterator<ExportedLinkRow> {
  return database
    .prepare<[number], ExportedLinkRow>(
      `SELECT ${exportedColumns} FROM ${rowSource} WHERE links.user_id = ? AND links.trashed_at IS NULL ORDER BY links.id`,
    )
    .iterate(userId);
}
