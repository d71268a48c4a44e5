import type { Account, KeyRow } from '../../platform/http/caller.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { presentAccount } from '../account/presenter.ts';

interface SignedIn {
  token: string;
  expiresAt: number;
  account: Account;
}

/** The response to a sign-in, whatever the method. */
export function presentSignedIn({ token, expiresAt, account }: SignedIn, baseUrl: string) {
  return {
    token,
    expires: presentTimestamp(expiresAt, account.user.timezone),
    account: presentAccount(account, baseUrl),
  };
}

/** A session as the list shows it. */
export function presentSession(
  key: KeyRow,
  currentId: number,
  timezone: string,
  countryOf: (address: string) => string,
) {
  return {
    id: key.id,
    device: key.name,
    current: key.id === currentId,
    created: presentTimestamp(key.created_at, timezone),
    expires: presentTimestamp(key.expires_at ?? key.created_at, timezone),
    lastused: presentOptional(key.last_used_at, timezone),
    lastaddress: key.last_address,
    lastcountry: key.last_address === null ? '' : countryOf(key.last_address),
  };
}
