import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { rejected, tooMany } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/addresses.ts';
import type { KeyRow } from '../../platform/http/caller.ts';
import type { Vault } from '../../platform/vault.ts';
import { noPassword } from '../keys/passwords.ts';
import { purposes } from '../keys/purposes.ts';
import type { ConfirmPassword } from '../sessions/confirm-password.ts';
import type { FailureLock } from '../sessions/failure-lock.ts';
import { checkFresh } from '../sessions/fresh-sign-in.ts';
import type { SecretRow, TwoFactorQueries } from './queries.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { newTotpSecret, otpauthUrl, stepOfCode } from './totp.ts';

/** Seconds for which a secret of a set-up can be confirmed (contract, "Limits"). */
export const pendingSeconds = 120;

interface Pending {
  secret: string;
  /** Only the key that began the set-up can end it. */
  keyId: number;
  /** A new password drops what was begun before it. */
  passwordHash: string;
  /** Monotonic milliseconds. */
  endsAt: number;
}

interface Options {
  queries: TwoFactorQueries;
  vault: Vault;
  failures: FailureLock;
  confirmPassword: ConfirmPassword;
  transactions: Transactions;
  audit: AuditLog;
  now: () => number;
  monotonic: () => number;
}

/** Two-factor authentication by TOTP: the states and transitions of the contract's table. */
export function twoFactorService(options: Options) {
  const { queries, vault, failures, confirmPassword, transactions, audit, now, monotonic } = options;
  // In memory only: a restart drops what was not confirmed.
  const pending = new Map<number, Pending>();

  return {
    isEnabled: (userId: number): boolean => getRow(userId).totp_secret !== null,

    /** Starts a set-up; it replaces one that is under way. Throws 400 `already_enabled`. */
    setUp(userId: number, keyId: number): { secret: string; url: string } {
      const row = getRow(userId);
      if (row.totp_secret !== null) throw alreadyEnabled();
      const secret = newTotpSecret();
      const endsAt = monotonic() + pendingSeconds * 1000;
      pending.set(userId, { secret, keyId, passwordHash: row.password_hash, endsAt });
      return { secret, url: otpauthUrl(secret, row.username) };
    },

    /**
     * Enables it and returns the recovery codes, which cannot be read again. The password is only checked when needed:
     * after twenty wrong codes in a row.
     */
    async enable(
      userId: number,
      key: KeyRow,
      proof: { code: string; password: string | undefined },
      actor: Actor,
    ): Promise<string[]> {
      const row = getRow(userId);
      if (row.totp_secret !== null) throw alreadyEnabled();
      checkLock(userId, actor);
      if (failures.isRowFull(userId)) await checkPassword(userId, row, proof.password, key, actor);
      return confirmSetUp(userId, key.id, proof.code, actor);
    },

    /** Switches it off. Each proof that was sent must be right; at least one must be. */
    async disable(
      userId: number,
      key: KeyRow,
      proof: { code: string | undefined; password: string | undefined },
      actor: Actor,
    ): Promise<void> {
      const row = getRow(userId);
      if (proof.code === undefined && proof.password === undefined) {
        throw rejected(
          'code_or_password_required',
          'code',
          'Send a code from your authenticator or your current password.',
        );
      }
      if (row.totp_secret === null) throw notEnabled();
      const isRowFull = failures.isRowFull(userId);
      if (proof.password !== undefined || isRowFull)
        await checkPassword(userId, row, proof.password, key, actor);
      if (proof.code !== undefined) useCode(userId, proof.code, actor);
      transactions.atomically(() => {
        if (!queries.disable(userId)) throw notEnabled();
        queries.removeCodes(userId);
        audit.note(actor, 'twofactor.disabled', { by: proof.code === undefined ? 'password' : 'code' });
      });
    },

    /** New recovery codes; the old ones are dead. Throws 400 `not_enabled` or `wrong_password`. */
    async renewRecoveryCodes(userId: number, prove: () => Promise<void>, actor: Actor): Promise<string[]> {
      if (getRow(userId).totp_secret === null) throw notEnabled();
      await prove();
      return transactions.atomically(() => {
        audit.note(actor, 'twofactor.recovery_codes');
        return replaceRecoveryCodes(userId);
      });
    },

    /** Disabled by an administrator for a person who lost access. */
    reset(userId: number): void {
      queries.disable(userId);
      queries.removeCodes(userId);
      pending.delete(userId);
      failures.endRow(userId);
    },

    useCode,
  };

  /** The synchronous part, so that only one of several concurrent requests enables it. */
  function confirmSetUp(userId: number, keyId: number, code: string, actor: Actor): string[] {
    const row = getRow(userId);
    if (row.totp_secret !== null) throw alreadyEnabled();
    checkLock(userId, actor);
    const waiting = pending.get(userId);
    const isOwn = waiting?.keyId === keyId && waiting.passwordHash === row.password_hash;
    if (!isOwn || monotonic() >= waiting.endsAt) throw setupExpired();
    const step = stepOfCode(waiting.secret, code, now(), null);
    if (step === undefined) throw countWrongCode(userId, actor);
    const codes = transactions.atomically(() => {
      forgiveCodes(userId, actor);
      queries.enable(userId, vault.seal(waiting.secret, purposes.secondFactor(userId)), step);
      audit.note(actor, 'twofactor.enabled');
      return replaceRecoveryCodes(userId);
    });
    pending.delete(userId);
    return codes;
  }

  /**
   * Accepts a code of the authenticator or a recovery code, each only once. Throws 400 `invalid_code` five times in 15
   * minutes, then 429. Synchronous, so only one of several concurrent requests succeeds.
   */
  function useCode(userId: number, code: string, actor: Actor): void {
    checkLock(userId, actor);
    const row = getRow(userId);
    const isTotp = /^[0-9]{6}$/.test(code);
    const accepted = isTotp ? acceptTotp(userId, row, code) : acceptRecovery(userId, code, actor);
    if (!accepted) throw countWrongCode(userId, actor);
    forgiveCodes(userId, actor);
  }

  function acceptTotp(userId: number, row: SecretRow, code: string): boolean {
    // A secret that does not open (the vault's key was lost) accepts nothing; recovery codes still do.
    const secret =
      row.totp_secret === null ? undefined : vault.open(row.totp_secret, purposes.secondFactor(userId));
    const step = secret === undefined ? undefined : stepOfCode(secret, code, now(), row.totp_step);
    return step !== undefined && queries.acceptStep(userId, step, row.totp_step);
  }

  function acceptRecovery(userId: number, code: string, actor: Actor): boolean {
    return transactions.atomically(() => {
      if (!queries.useCode(userId, hashRecoveryCode(code), now())) return false;
      audit.note(actor, 'twofactor.recovery_used', { left: queries.countCodes(userId) }, userId);
      return true;
    });
  }

  function replaceRecoveryCodes(userId: number): string[] {
    const codes = newRecoveryCodes();
    queries.removeCodes(userId);
    for (const code of codes) queries.insertCode(userId, hashRecoveryCode(code));
    return codes;
  }

  /** Throws 400 without the right password; with it, the row of wrong codes is over. */
  async function checkPassword(
    userId: number,
    row: SecretRow,
    password: string | undefined,
    key: KeyRow,
    actor: Actor,
  ): Promise<void> {
    if (password === undefined && row.password_hash === noPassword) {
      checkFresh(key, now(), 'current_password');
      failures.endRow(userId);
      return;
    }
    if (password === undefined) {
      throw rejected(
        'password_required',
        'current_password',
        'Too many wrong codes in a row. Send your current password too.',
      );
    }
    await confirmPassword({ id: userId, password_hash: row.password_hash }, password, actor.address);
    failures.endRow(userId);
  }

  function checkLock(userId: number, { address }: Actor): void {
    const wait = failures.lockedFor({ userId }, 'code', networkOf(address));
    if (wait > 0) throw tooMany('too_many_failures', 'Too many wrong codes. Try again later.', wait);
  }

  function forgiveCodes(userId: number, { address }: Actor): void {
    failures.succeed({ userId }, 'code', networkOf(address));
    failures.endRow(userId);
  }

  function countWrongCode(userId: number, { address }: Actor) {
    failures.note({ userId }, 'code', networkOf(address));
    failures.lengthenRow(userId);
    return rejected('invalid_code', 'code', 'This code is wrong or already used. Wait for the next one.');
  }

  function getRow(userId: number): SecretRow {
    const row = queries.find(userId);
    if (!row) throw new Error(`there is no user ${userId}`);
    return row;
  }
}

export type TwoFactorService = ReturnType<typeof twoFactorService>;

function alreadyEnabled() {
  return rejected(
    'already_enabled',
    undefined,
    'Two-factor authentication is already on. Turn it off first.',
  );
}

function notEnabled() {
  return rejected('not_enabled', undefined, 'Two-factor authentication is not on.');
}

function setupExpired() {
  return rejected('setup_expired', 'code', 'The set-up has expired. Start again and scan the new code.');
}
