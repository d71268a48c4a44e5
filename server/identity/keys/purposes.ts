/**
 * What each secret is sealed for: the vault opens a text for the purpose it was sealed for and no other, so a sealed
 * text that was copied from one account or column to another opens nowhere.
 */
export const purposes = {
  secondFactor: (userId: number) => `users.totp_secret ${userId}`,
  mailerKey: (userId: number) => `users.mailer_key ${userId}`,
  webhookSecret: (userId: number) => `webhook secret of ${userId}`,
  backupPassphrase: () => 'backup passphrase',
  singleSignOn: () => 'single sign-on',
  mailPassword: () => 'mail password',
  fleet: () => 'fleet',
  /** Messages that wait; whoever loses the key loses them, and nothing else. */
  outbox: () => 'outbox',
};
