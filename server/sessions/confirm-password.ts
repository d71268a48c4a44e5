import { rejected, tooMany } from '../errors.ts';
import type { Passwords } from '../keys/passwords.ts';
import type { FailureLock } from './failure-lock.ts';

/** Whom a failure is counted for. */
export function subjectOf(userId: number): string {
  return `user ${userId}`;
}

interface Options {
  failures: FailureLock;
  passwords: Passwords;
}

export type ConfirmPassword = (
  user: { id: number; password_hash: string },
  password: string,
) => Promise<void>;

/**
 * Checks the password of somebody who is signed in already, before something that a stolen key must not do.
 * Throws 400 with the field `current_password`; the sixth wrong one in 15 minutes is 429 (decisions, section 2).
 */
export function passwordConfirmation({ failures, passwords }: Options): ConfirmPassword {
  return async (user, password) => {
    const subject = subjectOf(user.id);
    const wait = failures.lockedFor(subject, 'password');
    if (wait > 0) throw passwordLocked(wait);
    // Counted before the slow comparison and taken back after a success, so that parallel guesses count as well.
    const attempt = failures.note(subject, 'password');
    if (!(await passwords.verify(password, user.password_hash))) {
      throw rejected('wrong_password', 'current_password', 'The current password is wrong.');
    }
    failures.forget(attempt);
  };
}

/** 429 after five wrong passwords. */
export function passwordLocked(seconds: number) {
  return tooMany('too_many_failures', 'Too many wrong passwords. Wait a while and try again.', seconds);
}
