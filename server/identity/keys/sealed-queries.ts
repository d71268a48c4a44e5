import type { SealedKind } from '../../contract/instance.ts';
import type { Connection } from '../../platform/database/connect.ts';

export interface SealedText {
  kind: SealedKind;
  /** Whose it is; 0 for the instance's. */
  user_id: number;
  sealed: string;
}

/** A text within a setting; empty if the row is damaged, which then counts as a secret that cannot be decrypted. */
const storedText = (path: '$' | '$.sealed') =>
  `ifnull(CASE WHEN json_valid(value) THEN value ->> '${path}' END, '')`;

/** Everything that the vault's key seals; whatever else is to be sealed must be added here. */
export function sealedTexts(database: Connection): SealedText[] {
  return database
    .prepare<[], SealedText>(
      `SELECT 'second factor' AS kind, id AS user_id, totp_secret AS sealed FROM users WHERE totp_secret IS NOT NULL
       UNION ALL SELECT 'mailer key', id, mailer_key FROM users WHERE mailer_key IS NOT NULL
       UNION ALL SELECT 'webhook secret', user_id, secret FROM webhooks WHERE secret <> ''
       UNION ALL SELECT 'backup passphrase', 0, ${storedText('$')} FROM settings WHERE name = 'backupPassphrase'
       UNION ALL SELECT 'single sign-on secret', 0, ${storedText('$')} FROM settings WHERE name = 'singleSignOnSecret'
       UNION ALL SELECT 'mail password', 0, ${storedText('$.sealed')} FROM settings WHERE name = 'mailPassword'
       UNION ALL SELECT 'fleet secret', 0, ${storedText('$.sealed')} FROM settings WHERE name = 'fleetEngine'`,
    )
    .all();
}
