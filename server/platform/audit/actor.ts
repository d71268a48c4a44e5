import type { Caller } from '../http/caller.ts';

/** Who acted, as stored in the audit log. */
export interface Actor {
  userId: number | null;
  /** The account in which it was done; the person's own if absent. */
  accountId?: number;
  name: string;
  keyId: number | null;
  keyName: string;
  address: string;
}

/** The person, account and key that made a request. */
export function actorOf({ caller, address }: { caller: Caller; address: string }): Actor {
  const { user, person, key } = caller;
  const { id, username } = person.user;
  return { userId: id, accountId: user.id, name: username, keyId: key.id, keyName: key.name, address };
}

/** Someone who is not signed in, such as a user of the sign-in form. */
export function stranger(address: string): Actor {
  return { userId: null, name: '', keyId: null, keyName: '', address };
}
