import type { ApiKey } from '../../contract/keys.ts';
import type { KeyRow } from '../../platform/http/caller.ts';
import { readScopes } from '../../platform/http/scopes.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';

/** A key as its owner sees it: everything except the secret, which is not stored. */
export function presentKey(
  key: KeyRow,
  currentId: number,
  timezone: string,
  now: number,
  countryOf: (address: string) => string,
): ApiKey {
  return {
    id: key.id,
    account: key.account_id ?? key.user_id,
    kind: key.kind === 'primary' ? 'primary' : 'custom',
    name: key.name,
    prefix: key.prefix,
    scopes: readScopes(key.scopes),
    ratelimit: key.ratelimit,
    created: presentTimestamp(key.created_at, timezone),
    expires: presentOptional(key.expires_at, timezone),
    expired: key.expires_at !== null && key.expires_at <= now,
    lastused: presentOptional(key.last_used_at, timezone),
    lastaddress: key.last_address,
    lastcountry: key.last_address === null ? '' : countryOf(key.last_address),
    current: key.id === currentId,
    version: key.version,
  };
}
