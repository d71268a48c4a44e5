/**
 * The purpose with which each secret is encrypted: the vault decrypts it for the same purpose only, so a ciphertext
 * copied from one account or column to another is useless.
 */
export const purposes = {
  secondFactor: (userId: number) => `users.totp_secret ${userId}`,
  mailerKey: (userId: number) => `users.mailer_key ${userId}`,
  webhookSecret: (userId: number) => `webhook secret of ${userId}`,
  backupPassphrase: () => 'backup passphrase',
  singleSignOn: () => 'single sign-on',
  mailPassword: () => 'mail password',
  fleet: () => 'fleet',
  /** Waiting messages; if the key is lost, these are lost, and nothing else. */
  outbox: () => 'outbox',
};
