import { keyExpires, scopeMissing } from '../errors.ts';
import { storedList } from '../text/stored-json.ts';
import type { KeyRow } from './caller.ts';

/** A key's permissions: everything, or a list of `<resource>:read` and `<resource>:write` (decision 0009). */
export type Scopes = 'full' | string[];

/** Parses the stored form of a key's scopes. */
export function readScopes(stored: string): Scopes {
  if (stored === 'full') return 'full';
  // Only this program writes it, after validation: a damaged row gives no permissions.
  return storedList<string>(stored, 'string');
}

/** Whether scopes include the required one; writing includes reading. */
export function grants(scopes: Scopes, needed: string): boolean {
  if (scopes === 'full') return true;
  return scopes.includes(needed) || scopes.includes(needed.replace(/:read$/, ':write'));
}

/** Throws 403 unless a key, by its stored scopes, has the required one: for checks that depend on the body. */
export function checkGrants(stored: string, needed: string): void {
  if (!grants(readScopes(stored), needed)) throw scopeMissing(needed);
}

/**
 * Throws 403 unless the key may do everything, for as long as it likes: what decides who can sign in, and as what,
 * outlives the key that it came from.
 */
export function checkFull({ key }: { key: Pick<KeyRow, 'kind' | 'scopes' | 'expires_at'> }): void {
  if (key.scopes !== 'full') throw scopeMissing('full');
  if (key.kind === 'custom' && key.expires_at !== null) throw keyExpires();
}

/** The requested scopes that a key does not have itself: it must not create a more powerful key. */
export function missingScopes(own: Scopes, wanted: Scopes): string[] {
  if (own === 'full') return [];
  if (wanted === 'full') return ['full'];
  return wanted.filter((scope) => !grants(own, scope));
}
