import { busy, forbidden, rejected, tooMany } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/addresses.ts';
import { noPassword, type Passwords } from '../keys/passwords.ts';
import type { FailureLock } from './failure-lock.ts';

interface Options {
  failures: FailureLock;
  passwords: Passwords;
}

export type ConfirmPassword = (
  user: { id: number; password_hash: string },
  password: string,
  address: string,
  /** The request field with the password; `current_password` by default. */
  field?: string,
) => Promise<void>;

/**
 * Checks the password of a signed-in person before operations that a stolen key must not perform. Throws 400 with the
 * invalid field; the sixth wrong one from a network in 15 minutes gets 429 (decision 0007).
 */
export function passwordConfirmation({ failures, passwords }: Options): ConfirmPassword {
  return async (user, password, address, field = 'current_password') => {
    if (user.password_hash === noPassword) {
      const advice = 'Choose one first, under Settings, Security.';
      throw rejected('no_password', field, `Your account has no password. ${advice}`);
    }
    const subject = { userId: user.id };
    const network = networkOf(address);
    const wait = failures.lockedFor(subject, 'password', network);
    if (wait > 0) throw passwordLocked(wait);
    // A full queue does not count as a wrong password.
    if (!passwords.hasCapacity(network)) throw busy();
    // Counted before the slow comparison and taken back after a success, so that parallel guesses count as well.
    failures.note(subject, 'password', network);
    if (!(await passwords.verify(password, user.password_hash, network))) {
      throw rejected('wrong_password', field, 'The current password is wrong.');
    }
    failures.succeed(subject, 'password', network);
  };
}

/** 429 after too many wrong passwords. */
export function passwordLocked(seconds: number) {
  return tooMany('too_many_failures', 'Too many wrong passwords. Try again later.', seconds);
}

/** 403 where single sign-on and passkeys alone sign in. */
export function passwordsOff() {
  return forbidden(
    'passwords_off',
    'Signing in with a password is not allowed here. Use single sign-on or a passkey.',
  );
}
