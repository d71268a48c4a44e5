import type { Connection } from '../../platform/database/connect.ts';

export interface SecretRow {
  username: string;
  password_hash: string;
  /** Sealed by the vault; null while two-factor authentication is off. */
  totp_secret: string | null;
  totp_step: number | null;
}

/** SQL of two-factor authentication. */
export function twoFactorQueries(database: Connection) {
  const find = database.prepare<[number], SecretRow>(
    'SELECT username, password_hash, totp_secret, totp_step FROM users WHERE id = ?',
  );
  const enable = database.prepare<[string, number, number]>(
    'UPDATE users SET totp_secret = ?, totp_step = ? WHERE id = ? AND totp_secret IS NULL',
  );
  const disable = database.prepare<[number]>(
    'UPDATE users SET totp_secret = NULL, totp_step = NULL WHERE id = ? AND totp_secret IS NOT NULL',
  );
  const acceptStep = database.prepare<[number, number, number | null]>(
    'UPDATE users SET totp_step = ? WHERE id = ? AND totp_step IS ?',
  );
  const insertCode = database.prepare<[number, Buffer]>(
    'INSERT INTO recovery_codes (user_id, hash) VALUES (?, ?)',
  );
  const removeCodes = database.prepare<[number]>('DELETE FROM recovery_codes WHERE user_id = ?');
  const useCode = database.prepare<[number, number, Buffer]>(
    'UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND hash = ? AND used_at IS NULL',
  );
  const countCodes = database.prepare<[number], { total: number }>(
    'SELECT count(*) AS total FROM recovery_codes WHERE user_id = ? AND used_at IS NULL',
  );
  return {
    find: (userId: number): SecretRow | undefined => find.get(userId),
    enable: (userId: number, secret: string, step: number): boolean =>
      enable.run(secret, step, userId).changes > 0,
    disable: (userId: number): boolean => disable.run(userId).changes > 0,
    /** Marks a time step as used; false when another one was since `last`, which the step was checked against. */
    acceptStep: (userId: number, step: number, last: number | null): boolean =>
      acceptStep.run(step, userId, last).changes > 0,
    insertCode: (userId: number, hash: Buffer) => void insertCode.run(userId, hash),
    removeCodes: (userId: number) => void removeCodes.run(userId),
    /** Uses a recovery code; false if there is no unused one. */
    useCode: (userId: number, hash: Buffer, at: number): boolean => useCode.run(at, userId, hash).changes > 0,
    countCodes: (userId: number): number => countCodes.get(userId)?.total ?? 0,
  };
}

export type TwoFactorQueries = ReturnType<typeof twoFactorQueries>;
