import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../platform/errors.ts';
import type { Account, Authenticate, Caller, KeyRow } from '../../platform/http/caller.ts';
import { soleHeader } from '../../platform/http/hosts.ts';
import type { KeyService } from '../keys/service.ts';
import type { MembershipOf } from '../teams/membership.ts';
import type { UserService } from '../users/service.ts';

interface Options {
  keys: KeyService;
  users: UserService;
  membershipOf: MembershipOf;
}

/** Names the account in which a session acts. */
const accountHeader = 'x-waypost-account';

/**
 * Reads `Authorization: Bearer KEY` (older clients send `Token KEY`). Returns undefined for a missing, malformed,
 * unknown, expired or revoked key, for a disabled account, and for the key of a team that its person has left.
 * Membership and role are looked up for each request.
 */
export function authenticator({ keys, users, membershipOf }: Options): Authenticate {
  function inTeam(id: number, person: Account, key: KeyRow): Caller | undefined {
    const found = membershipOf(person, id);
    return found && { ...found.account, key, person, role: found.role, ownOnly: found.ownOnly };
  }

  return (request, address) => {
    const header = soleHeader(request, 'authorization');
    const secret =
      header === undefined ? undefined : /^(?:bearer|token) +([\w.~+/=-]{8,512})$/i.exec(header)?.[1];
    if (secret === undefined) return undefined;
    const key = keys.find(secret, address);
    if (!key) return undefined;
    const person = users.find(key.user_id);
    if (person?.user.kind !== 'person') return undefined;
    if (key.account_id !== null) return inTeam(key.account_id, person, key);
    const own: Caller = { ...person, key, person, role: 'owner', ownOnly: false };
    const named = key.kind === 'session' ? namedAccount(request) : undefined;
    if (named === undefined || named === person.user.id) return own;
    return inTeam(named, person, key) ?? { ...own, refusal: accountNotFound() };
  };
}

/** The account that a request selects; undefined if it selects none, NaN if it is not an id. */
function namedAccount(request: IncomingMessage): number | undefined {
  if (request.headers[accountHeader] === undefined) return undefined;
  const text = soleHeader(request, accountHeader) ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN;
}

function accountNotFound(): Refusal {
  return new Refusal(404, 'You do not have access to this account. Choose another one.', {
    code: 'account_not_found',
  });
}
