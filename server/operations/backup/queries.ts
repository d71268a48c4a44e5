import type { Connection } from '../../platform/database/connect.ts';
import { storedValue } from '../../platform/text/stored-json.ts';

/** The contents that files of a database name, with their sizes. */
export function storedContents(database: Connection): { storage: string; size: number }[] {
  return database
    .prepare<[], { storage: string; size: number }>('SELECT storage, size FROM files ORDER BY id')
    .all();
}

/**
 * Removes what only a lost vault key could decrypt: two-factor secrets with their recovery codes, mail keys, secrets
 * of webhooks, the passphrase of backups and the secret of single sign-on. Otherwise nobody with a second factor could
 * sign in, and the instance would wait for the lost key. Returns how many accounts lost their second factor.
 */
export function dropSealed(database: Connection): number {
  database
    .prepare(
      'DELETE FROM recovery_codes WHERE user_id IN (SELECT id FROM users WHERE totp_secret IS NOT NULL)',
    )
    .run();
  const { changes } = database
    .prepare('UPDATE users SET totp_secret = NULL, totp_step = NULL WHERE totp_secret IS NOT NULL')
    .run();
  database.prepare('UPDATE users SET mailer_key = NULL WHERE mailer_key IS NOT NULL').run();
  // The webhook itself stays; it asks for a new secret when it has something to send.
  database.prepare("UPDATE webhooks SET secret = ''").run();
  passphraseQueries(database).remove();
  database
    .prepare("DELETE FROM settings WHERE name IN ('singleSignOnSecret', 'mailPassword', 'fleetEngine')")
    .run();
  return changes;
}

/**
 * What was waiting to be sent at the time of the backup has been sent since, or is out of date; old codes are useless.
 */
export function dropMessages(database: Connection): void {
  database.prepare('DELETE FROM outbox').run();
  database.prepare('DELETE FROM password_resets').run();
}

/** Writes into the restored database that it was restored. */
export function noteRestore(database: Connection, at: number, details: object): void {
  database
    .prepare(
      `INSERT INTO audit (at, action, user_id, actor_id, actor, key_id, key_name, address, details)
       VALUES (?, 'backup.restored', NULL, NULL, '', NULL, '', '', ?)`,
    )
    .run(at, JSON.stringify(details));
}

/** The passphrase of scheduled backups, encrypted by the vault; stored separately from the settings and never shown. */
export function passphraseQueries(database: Connection) {
  const name = 'backupPassphrase';
  const find = database.prepare<[string], string>('SELECT value FROM settings WHERE name = ?').pluck();
  const put = database.prepare<[string, string]>(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const remove = database.prepare<[string]>('DELETE FROM settings WHERE name = ?');
  return {
    /** As encrypted; undefined if there is none, and empty, which nothing decrypts, if it is damaged. */
    find(): string | undefined {
      const value = find.get(name);
      return value === undefined ? undefined : String(storedValue(value) ?? '');
    },
    put: (sealed: string) => void put.run(name, JSON.stringify(sealed)),
    remove: () => void remove.run(name),
  };
}

export type PassphraseQueries = ReturnType<typeof passphraseQueries>;
