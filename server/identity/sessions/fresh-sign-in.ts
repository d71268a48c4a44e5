import { rejected } from '../../platform/errors.ts';
import type { KeyRow } from '../../platform/http/caller.ts';

/** How long after signing in a person without a password need not authenticate again. Milliseconds. */
const freshMs = 300_000;

/**
 * Throws 400 `sign_in_again` unless the session's person signed in recently. A sign-in may lie a little ahead, if the
 * clock was set back.
 */
export function checkFresh(
  { kind, created_at, signed_in_at }: Pick<KeyRow, 'kind' | 'created_at' | 'signed_in_at'>,
  now: number,
  field: string,
): void {
  if (kind === 'session' && Math.abs(now - (signed_in_at ?? created_at)) < freshMs) return;
  const message = 'Sign in again to do this: you have no password, and signed in more than five minutes ago.';
  throw rejected('sign_in_again', field, message);
}
