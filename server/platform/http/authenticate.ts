import type { IncomingMessage } from 'node:http';
import type { KeyRow } from '../../identity/keys/queries.ts';
import type { KeyService } from '../../identity/keys/service.ts';
import type { Account, UserService } from '../../identity/users/service.ts';
import { soleHeader } from './hosts.ts';

/** An authenticated request: the account and the key that speaks for it. */
export interface Caller extends Account {
  key: KeyRow;
}

export type Authenticate = (request: IncomingMessage, address: string) => Caller | undefined;

interface Options {
  keys: KeyService;
  users: UserService;
}

/**
 * Reads `Authorization: Bearer KEY` (older clients send `Token KEY`). Returns undefined alike for a missing, garbled,
 * unknown, expired and revoked key and for an account that was switched off.
 */
export function authenticator({ keys, users }: Options): Authenticate {
  return (request, address) => {
    const header = soleHeader(request, 'authorization');
    const secret =
      header === undefined ? undefined : /^(?:bearer|token) +([\w.~+/=-]{8,512})$/i.exec(header)?.[1];
    if (secret === undefined) return undefined;
    const key = keys.find(secret, address);
    const account = key && users.find(key.user_id);
    return account && { ...account, key };
  };
}
