import type { Feed } from '../../platform/events/feed.ts';
import type { KeyKind, KeyRow } from '../../platform/http/caller.ts';
import { checkCeiling } from '../plans/ceilings.ts';
import type { KeyQueries, Reach } from './queries.ts';
import { hashSecret, newSecret, prefixOf } from './secrets.ts';

const day = 86_400_000;
/** A session ends after this long without use. */
const sessionLifetime = 90 * day;
/** How outdated "last used" may be: a write for every request would be too expensive. */
const touchInterval = 60_000;
/** Sessions of one person; with one more the one that was idle for the longest time ends (decision 0008). */
const maxSessions = 100;

/** What can be chosen for a key. */
export interface KeyChoice {
  name: string;
  /** `full` or a JSON list. */
  scopes: string;
  ratelimit: number | null;
  expiresAt: number | null;
}

interface Options {
  queries: KeyQueries;
  now: () => number;
  /** Checked before expired sessions are deleted; those that have ended are useless either way. */
  isClockTrusted?: () => boolean;
  /** Called for keys that were just revoked or restricted, so that their open requests are ended. */
  revoked?: Pick<Feed<number>, 'publish'>;
}

/** API keys and sessions: a session token is a revocable key of its own kind (decision 0009). */
export function keyService({ queries, now, isClockTrusted = () => true, revoked }: Options) {
  function insert(
    userId: number,
    kind: KeyKind,
    choice: KeyChoice,
    accountId: number | null = null,
    signedInAt: number | null = null,
  ): { id: number; secret: string } {
    const secret = newSecret(kind === 'session' ? 'session' : 'key');
    const id = queries.insert({
      ...choice,
      userId,
      accountId,
      kind,
      hash: hashSecret(secret),
      prefix: prefixOf(secret),
      createdAt: now(),
      signedInAt,
    });
    return { id, secret };
  }

  function revoke(id: number): void {
    queries.remove(id);
    revoked?.publish(id);
  }

  return {
    /**
     * Creates a key with full access and returns its secret, which cannot be read again. `signedInAt` is when the
     * person authenticated, if not now.
     */
    create(
      userId: number,
      kind: KeyKind,
      name: string,
      signedInAt: number | null = null,
    ): { secret: string; expiresAt: number | null } {
      const expiresAt = kind === 'session' ? now() + sessionLifetime : null;
      const { secret } = insert(
        userId,
        kind,
        { name, scopes: 'full', ratelimit: null, expiresAt },
        null,
        signedInAt,
      );
      if (kind === 'session') {
        if (isClockTrusted()) queries.removeExpiredSessions(now());
        for (const id of queries.idleSessions(userId, maxSessions)) revoke(id);
      }
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
        try {
          queries.touch(key.id, at, address, expiresAt);
        } catch {
          // The disk is full or not writable: reads continue, and "last used" becomes less exact.
        }
      }
      return key;
    },

    /** Replaces the primary key by a new one with the same name and limit, and returns its secret. */
    rotatePrimary(userId: number): { id: number; secret: string } {
      const old = queries.findPrimary(userId);
      if (old) revoke(old.id);
      const { name = 'Primary key', ratelimit = null } = old ?? {};
      return insert(userId, 'primary', { name, scopes: 'full', ratelimit, expiresAt: null });
    },

    /** Creates a custom key for the person's own account or a team. Throws 400 `too_many`. */
    addCustom(
      userId: number,
      choice: KeyChoice,
      accountId: number | null = null,
    ): { id: number; secret: string } {
      // Not counting the primary one.
      checkCeiling('keys', queries.countApiKeys({ user: userId, account: null }) - 1);
      return insert(userId, 'custom', choice, accountId);
    },

    apiKeys: (reach: Reach, limit: number, offset: number): { rows: KeyRow[]; total: number } => ({
      rows: queries.listApiKeys(reach, limit, offset),
      total: queries.countApiKeys(reach),
    }),

    /** A primary or custom key that the person can see; undefined if there is none with this id. */
    findApiKey: (id: number, reach: Reach): KeyRow | undefined => queries.findApiKey(id, reach),

    /** Anyone's API key; undefined if there is none with this id. */
    findAnyApiKey: (id: number): KeyRow | undefined => queries.findAnyApiKey(id),

    /** What the key keeps open ends: it was begun with what the key could do before. */
    update(key: KeyRow): void {
      queries.update(key);
      revoked?.publish(key.id);
    },

    revoke,

    sessions(userId: number, limit: number, offset: number): { rows: KeyRow[]; total: number } {
      return {
        rows: queries.list(userId, 'session', now(), limit, offset),
        total: queries.count(userId, 'session', now()),
      };
    },

    /** Whether a person is signed in on a device of this name. */
    hasSession: (userId: number, device: string): boolean => queries.hasSession(userId, device, now()),

    /** Revokes a session of this user; false if there is none with this id. */
    revokeSession(id: number, userId: number): boolean {
      const isRemoved = queries.removeOwn(id, userId, 'session');
      if (isRemoved) revoked?.publish(id);
      return isRemoved;
    },

    /** Ends every session of a user but the one with the id `keptId`. */
    revokeSessions(userId: number, keptId?: number): void {
      for (const { id, kind } of queries.idsOf(userId)) if (kind === 'session' && id !== keptId) revoke(id);
    },

    /** Ends every session and key of a user but the one with the id `keptId`. */
    revokeAll(userId: number, keptId?: number): void {
      for (const { id } of queries.idsOf(userId)) if (id !== keptId) revoke(id);
    },

    /** Ends the keys of a person that act in a team. */
    revokeInAccount(accountId: number, userId: number): void {
      for (const id of queries.idsIn(accountId, userId)) revoke(id);
    },

    /** Ends what the keys of a team keep open; the keys themselves stay. */
    endStreamsOfAccount(accountId: number): void {
      for (const id of queries.idsIn(accountId, null)) revoked?.publish(id);
    },

    /** Ends what every key of a user keeps open; the keys themselves go with the account. */
    endStreams(userId: number): void {
      for (const { id } of queries.idsOf(userId)) revoked?.publish(id);
    },
  };
}

export type KeyService = ReturnType<typeof keyService>;
