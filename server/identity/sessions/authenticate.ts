import type { Authenticate } from '../../platform/http/caller.ts';
import { soleHeader } from '../../platform/http/hosts.ts';
import type { KeyService } from '../keys/service.ts';
import type { UserService } from '../users/service.ts';

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
