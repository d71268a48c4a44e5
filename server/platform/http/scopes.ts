import { scopeMissing } from '../errors.ts';

/** What a key may do: everything, or a list of `<resource>:read` and `<resource>:write` (decision 0009). */
export type Scopes = 'full' | string[];

/** Reads the stored form of a key's scopes. */
export function readScopes(stored: string): Scopes {
  if (stored === 'full') return 'full';
  // Written by this program only, checked when it was written.
  return JSON.parse(stored) as string[];
}

/** Whether scopes cover what is needed; writing includes reading. */
export function grants(scopes: Scopes, needed: string): boolean {
  if (scopes === 'full') return true;
  return scopes.includes(needed) || scopes.includes(needed.replace(/:read$/, ':write'));
}

/** Throws 403 unless a key, by the stored form of its scopes, may do what is needed: for what depends on the body. */
export function checkGrants(stored: string, needed: string): void {
  if (!grants(readScopes(stored), needed)) throw scopeMissing(needed);
}

/** What of the wanted scopes the own ones do not cover: a key must not make one that may do more than itself. */
export function missingScopes(own: Scopes, wanted: Scopes): string[] {
  if (own === 'full') return [];
  if (wanted === 'full') return ['full'];
  return wanted.filter((scope) => !grants(own, scope));
}
