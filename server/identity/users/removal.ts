import type { Connection } from '../../platform/database/connect.ts';

/** What belongs to an account, in the order in which it goes: what hangs on a row goes before it. */
const ownedTables = [
  ['webhook_deliveries', 'webhook_id IN (SELECT id FROM webhooks WHERE user_id = @user)', 50],
  ['webhooks', 'user_id = @user', 10],
  ['changed_links', 'change_id IN (SELECT id FROM changes WHERE user_id = @user)', 50, 'change_id, link_id'],
  ['moved_records', 'change_id IN (SELECT id FROM changes WHERE user_id = @user)', 50],
  ['bulk_rest', 'user_id = @user', 20, 'change_id, part'],
  ['bulk_jobs', 'user_id = @user', 50],
  ['changes', 'user_id = @user', 20],
  ['utm_templates', 'user_id = @user', 20],
  ['idempotent_replies', 'user_id = @user', 50, 'user_id, key'],
  ['import_tokens', 'user_id = @user', 50, 'user_id, token'],
  ['stats_pages', 'user_id = @user', 50],
  // The columns that identify these rows are deleted with them.
  ['links', 'user_id = @user', 2],
  ['overlay_answers', 'overlay_id IN (SELECT id FROM overlays WHERE user_id = @user)', 50],
  ['overlays', 'user_id = @user', 10],
  ['bio_counts', 'bio_id IN (SELECT id FROM bio_pages WHERE user_id = @user)', 50, 'bio_id, hour, block'],
  ['bio_messages', 'bio_id IN (SELECT id FROM bio_pages WHERE user_id = @user)', 50],
  ['bio_pages', 'user_id = @user', 5],
  ['qr_scans', 'qr_id IN (SELECT id FROM qr_codes WHERE user_id = @user)', 50, 'qr_id, day'],
  ['qr_codes', 'user_id = @user', 5],
  ['files', 'user_id = @user', 10],
  ['channels', 'user_id = @user', 10],
  ['campaigns', 'user_id = @user', 10],
  ['splash_pages', 'user_id = @user', 10],
  ['pixels', 'user_id = @user', 10],
  // These may have megabytes.
  ['page_pictures', 'user_id = @user', 1],
  [
    'trash_parts',
    '(resource, record_id) IN (SELECT resource, record_id FROM removals WHERE user_id = @user)',
    20,
    'id',
  ],
  ['removals', 'user_id = @user', 1],
  ['domains', 'user_id = @user', 1],
] as const;

/**
 * Deletes accounts: `mark` hides one immediately; `step`, inside the caller's transaction, deletes a limited part of
 * the data of marked ones, the account's row last, and returns false when nothing is left.
 */
export function accountRemoval(database: Connection) {
  // Names of other accounts contain no line break, so this placeholder belongs to nobody.
  const hide = database.prepare<[{ id: number; at: number }]>(
    `UPDATE users SET removed_at = @at, active = 0, admin = 0, public = 0, email = '', username = '', name = '',
       email_folded = char(10) || id, username_folded = char(10) || id, password_hash = '', totp_secret = NULL,
       mailer_key = NULL, avatar = NULL, address = '{}', default_domain_id = NULL
     WHERE id = @id`,
  );
  // A few rows each, and everything that grants access.
  const cutOff = [
    'DELETE FROM keys WHERE user_id = ?',
    'DELETE FROM keys WHERE account_id = ?',
    'DELETE FROM members WHERE team_id = ?',
    'DELETE FROM members WHERE person_id = ?',
    'DELETE FROM team_invitations WHERE team_id = ?',
    'DELETE FROM avatars WHERE user_id = ?',
    'DELETE FROM recovery_codes WHERE user_id = ?',
    'DELETE FROM passkeys WHERE user_id = ?',
    'DELETE FROM identities WHERE user_id = ?',
    'UPDATE webhooks SET enabled = 0 WHERE user_id = ?',
    'UPDATE domains SET active = 0, disabled = 1 WHERE user_id = ?',
  ].map((sql) => database.prepare<[number]>(sql));
  const next = database
    .prepare<[], number>('SELECT id FROM users WHERE removed_at IS NOT NULL ORDER BY id LIMIT 1')
    .pluck();
  const parts = ownedTables.map(([table, condition, most, key = 'rowid']) =>
    database.prepare<[{ user: number }]>(removeSql(table, condition, most, key)),
  );
  const audit = ['user_id', 'actor_id'].map((column) => database.prepare<[number]>(forgetSql(column)));
  const remove = database.prepare<[number]>('DELETE FROM users WHERE id = ?');

  return {
    mark(id: number, at: number): void {
      hide.run({ id, at });
      for (const statement of cutOff) statement.run(id);
    },

    step(): boolean {
      const user = next.get();
      if (user === undefined) return false;
      if (parts.some((statement) => statement.run({ user }).changes > 0)) return true;
      if (audit.some((statement) => statement.run(user).changes > 0)) return true;
      remove.run(user);
      return true;
    },
  };
}

export type AccountRemoval = ReturnType<typeof accountRemoval>;

/** Tables that are emptied before an account goes; for the test that compares them with the schema. */
export const emptiedTables: readonly string[] = ownedTables.map(([table]) => table);

function removeSql(table: string, condition: string, most: number, key: string): string {
  return `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${most})`;
}

function forgetSql(column: string): string {
  return `UPDATE audit SET ${column} = NULL WHERE id IN (SELECT id FROM audit WHERE ${column} = ? LIMIT 20)`;
}
