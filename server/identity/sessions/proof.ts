import type { Actor } from '../../platform/audit/actor.ts';
import { rejected } from '../../platform/errors.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { noPassword } from '../keys/passwords.ts';
import type { TwoFactorService } from '../two-factor/service.ts';
import type { ConfirmPassword } from './confirm-password.ts';
import { checkFresh } from './fresh-sign-in.ts';

interface Given {
  password?: string | null | undefined;
  code?: string | undefined;
}

/**
 * Checks that it is the person who asks, before something that a stolen session must not do. Throws 400 with the field
 * of the password or `code`, or 429 after too many failures.
 */
export type Proof = (
  caller: Pick<Caller, 'person' | 'key'>,
  given: Given,
  actor: Actor,
  /**
   * The field of the password, and whether people with a password and two-factor authentication send a code as well.
   */
  asked?: { field?: string; withCode?: boolean },
) => Promise<void>;

/**
 * Verifies a person: with the password or, for those without one (single sign-on, passkeys), a recent sign-in, plus a
 * code if two-factor authentication is on.
 */
export function personProof(options: {
  confirmPassword: ConfirmPassword;
  twoFactor: Pick<TwoFactorService, 'isEnabled' | 'useCode'>;
  now: () => number;
}): Proof {
  const { confirmPassword, twoFactor, now } = options;
  return async ({ person: { user }, key }, { password, code }, actor, asked = {}) => {
    const { field = 'current_password', withCode = false } = asked;
    const hasPassword = user.password_hash !== noPassword;
    if (hasPassword) await confirmPassword(user, password ?? '', actor.address, field);
    else checkFresh(key, now(), field);
    if ((hasPassword && !withCode) || !twoFactor.isEnabled(user.id)) return;
    if (!code) throw rejected('code_required', 'code', 'Enter the code from your authenticator.');
    twoFactor.useCode(user.id, code, actor);
  };
}
