import type { KeyKind, KeyQueries, KeyRow } from './queries.ts';
import { hashSecret, newSecret, prefixOf } from './secrets.ts';

const day = 86_400_000;
/** A session ends after this long without use. */
export const sessionLifetime = 90 * day;
/** How stale "last used" may be: a write to disk for every request would cost more than it tells. */
const touchInterval = 60_000;

interface Options {
  queries: KeyQueries;
  now: () => number;
}

/** API keys and sessions: a session token is a revocable key of its own kind (decisions, section 3). */
export function keyService({ queries, now }: Options) {
  return {
    /** Makes a key and returns its secret, which is never readable again. */
    create(userId: number, kind: KeyKind, name: string): { secret: string; expiresAt: number | null } {
      const secret = newSecret(kind === 'session' ? 'session' : 'key');
      const createdAt = now();
      const expiresAt = kind === 'session' ? createdAt + sessionLifetime : null;
      const hash = hashSecret(secret);
      queries.insert({ userId, kind, name, hash, prefix: prefixOf(secret), createdAt, expiresAt });
      return { secret, expiresAt };
    },

    /** The key that a secret belongs to; undefined when unknown, revoked or expired. Notes its use. */
    find(secret: string, address: string): KeyRow | undefined {
      const key = queries.findByHash(hashSecret(secret));
      if (!key) return undefined;
      const at = now();
      if (key.expires_at !== null && key.expires_at <= at) return undefined;
      if (
        key.last_used_at === null ||
        at - key.last_used_at > touchInterval ||
        key.last_address !== address
      ) {
        const expiresAt = key.kind === 'session' ? at + sessionLifetime : key.expires_at;
        queries.touch(key.id, at, address, expiresAt);
      }
      return key;
    },

    sessions(userId: number, limit: number, offset: number): { rows: KeyRow[]; total: number } {
      queries.removeExpiredSessions(now());
      return {
        rows: queries.list(userId, 'session', now(), limit, offset),
        total: queries.count(userId, 'session', now()),
      };
    },

    /** Revokes a session of this user; false when there is none with this id. */
    revokeSession: (id: number, userId: number): boolean => queries.removeOwn(id, userId, 'session'),
  };
}

export type KeyService = ReturnType<typeof keyService>;
