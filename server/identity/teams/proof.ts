import type { Actor } from '../../platform/audit/actor.ts';
import { rejected } from '../../platform/errors.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ConfirmPassword } from '../sessions/confirm-password.ts';
import type { TwoFactorService } from '../two-factor/service.ts';

/** Checks that it is the person who asks. Throws 400 with the field `password` or `code`, or 429 after too many failures. */
export type Proof = (
  caller: Caller,
  given: { password: string; code?: string | undefined },
  actor: Actor,
) => Promise<void>;

/** A password, and a code as well where the person has two-factor authentication. */
export function personProof(options: {
  confirmPassword: ConfirmPassword;
  twoFactor: Pick<TwoFactorService, 'isEnabled' | 'useCode'>;
}): Proof {
  const { confirmPassword, twoFactor } = options;
  return async ({ person: { user } }, { password, code }, actor) => {
    await confirmPassword(user, password, actor.address, 'password');
    if (!twoFactor.isEnabled(user.id)) return;
    if (!code) throw rejected('code_required', 'code', 'Enter the code from your authenticator.');
    twoFactor.useCode(user.id, code, actor);
  };
}
