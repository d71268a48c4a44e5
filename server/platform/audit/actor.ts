import type { Caller } from '../http/caller.ts';

/** Who acts, as the audit log keeps it. */
export interface Actor {
  userId: number | null;
  name: string;
  keyId: number | null;
  keyName: string;
  address: string;
}

/** The account and key behind a request. */
export function actorOf({ caller, address }: { caller: Caller; address: string }): Actor {
  const { user, key } = caller;
  return { userId: user.id, name: user.username, keyId: key.id, keyName: key.name, address };
}

/** Somebody who is not signed in: whoever uses a sign-in form. */
export function stranger(address: string): Actor {
  return { userId: null, name: '', keyId: null, keyName: '', address };
}
