import { rejected } from '../../platform/errors.ts';
import type { KeyRow } from '../../platform/http/caller.ts';

/** For how long after signing in somebody without a password need not prove themselves again. Milliseconds. */
const freshMs = 300_000;

/** Throws 400 `sign_in_again` unless the person of a session signed in a moment ago. */
export function checkFresh(
  { kind, created_at, signed_in_at }: Pick<KeyRow, 'kind' | 'created_at' | 'signed_in_at'>,
  now: number,
  field: string,
): void {
  if (kind === 'session' && now - (signed_in_at ?? created_at) < freshMs) return;
  const message = 'Sign in again to do this: you have no password, and signed in more than five minutes ago.';
  throw rejected('sign_in_again', field, message);
}
