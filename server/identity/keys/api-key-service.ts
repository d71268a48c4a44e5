import type { KeyScopes } from '../../contract/keys.ts';
import { powers } from '../../contract/roles.ts';
import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { keyExpires, notFound, planRequired, rejected, scopeMissing } from '../../platform/errors.ts';
import type { Caller, KeyRow } from '../../platform/http/caller.ts';
import { roleTooLow, sessionOnly } from '../../platform/http/member-check.ts';
import { missingScopes, readScopes, type Scopes } from '../../platform/http/scopes.ts';
import { parseTimestamp, presentOptional } from '../../platform/http/timestamps.ts';
import type { TeamQueries } from '../teams/queries.ts';
import type { UserService } from '../users/service.ts';
import type { Reach } from './queries.ts';
import type { KeyService } from './service.ts';

interface Options {
  keys: KeyService;
  users: Pick<UserService, 'find'>;
  teams: Pick<TeamQueries, 'membership'>;
  audit: AuditLog;
  transactions: Transactions;
  /** Default requests per minute of a key; only administrators may allow more. */
  ratelimit: () => number;
  now: () => number;
}

/** What a caller wants of a key; undefined leaves a field, null clears it. */
export interface KeyWish {
  name?: string | undefined;
  scopes?: KeyScopes | undefined;
  expires?: string | null | undefined;
  ratelimit?: number | null | undefined;
  /** The account in which it acts. */
  account?: number | undefined;
}

/** API keys as their owner manages them: a key cannot create one with more permissions. */
export function apiKeyService({ keys, users, teams, audit, transactions, ratelimit, now }: Options) {
  return {
    /** Throws 404, or 403 for a key that may do more than the caller's own. */
    get: getOwn,

    list: (caller: Caller, limit: number, offset: number) => keys.apiKeys(reachOf(caller), limit, offset),

    /** Replaces the primary key and returns the new secret. Throws 400 `force_required` or 403. */
    rotate(caller: Caller, force: boolean | undefined, actor: Actor): string {
      checkCovers(caller, 'full');
      // The primary key has no end.
      if (endOf(caller) !== null) throw keyExpires();
      if (caller.key.kind === 'primary' && force !== true) {
        throw rejected(
          'force_required',
          'force',
          'This replaces the key of this request. Send force: true to continue.',
        );
      }
      return transactions.atomically(() => {
        audit.note(actor, 'key.rotated');
        return keys.rotatePrimary(caller.user.id).secret;
      });
    },

    /**
     * Creates a custom key. Expiry and limit default to those of the calling key. Throws 400 or 403, also for a key
     * that would outlive the calling one.
     */
    add(caller: Caller, wish: KeyWish & { name: string }, actor: Actor): { id: number; secret: string } {
      const accountId = accountFor(caller, wish.account);
      const { plan } = (accountId === null ? caller.person : users.find(accountId)) ?? caller.person;
      if (plan.features.api?.enabled === false) throw planRequired('api');
      const { name, scopes = 'full' } = wish;
      const limit = wish.ratelimit === undefined ? limitOf(caller) : wish.ratelimit;
      checkCovers(caller, scopes);
      checkRatelimit(caller, limit);
      const expiresAt = wish.expires === undefined ? endOf(caller) : expiryOf(caller, wish.expires);
      return transactions.atomically(() => {
        audit.note(actor, 'key.added', { key: name, scopes }, accountId ?? caller.person.user.id);
        const choice = { name, scopes: storedForm(scopes), ratelimit: limit, expiresAt };
        return keys.addCustom(caller.person.user.id, choice, accountId);
      });
    },

    /**
     * Throws 404, 400 or 403, also for a key that outlives the one that asks. A key may be sent back as it was read, even
     * an expired one or the primary key.
     */
    update(id: number, caller: Caller, sent: KeyWish, actor: Actor): void {
      const key = getOwn(id, caller);
      const wish = changesOf(sent, key, caller.user.timezone);
      if (!isWithin(key.expires_at, endOf(caller))) throw keyExpires();
      if (key.kind === 'primary' && (wish.scopes !== undefined || wish.expires !== undefined)) {
        const field = wish.scopes === undefined ? 'expires' : 'scopes';
        throw rejected('primary_key', field, 'The primary key has full access and never expires.');
      }
      if (wish.scopes !== undefined) checkCovers(caller, wish.scopes);
      if (wish.ratelimit !== undefined) checkRatelimit(caller, wish.ratelimit);
      const next: KeyRow = {
        ...key,
        name: wish.name ?? key.name,
        scopes: wish.scopes === undefined ? key.scopes : storedForm(wish.scopes),
        ratelimit: wish.ratelimit === undefined ? key.ratelimit : wish.ratelimit,
        expires_at: wish.expires === undefined ? key.expires_at : expiryOf(caller, wish.expires),
      };
      transactions.atomically(() => {
        audit.note(actor, 'key.updated', { key: next.name, scopes: readScopes(next.scopes) });
        keys.update(next);
      });
    },

    /** Throws 404, or 400 for the primary key, which is only ever replaced. */
    remove(id: number, caller: Caller, actor: Actor): void {
      const key = getOwn(id, caller);
      if (key.kind === 'primary') {
        throw rejected('primary_key', undefined, 'The primary key cannot be deleted. Regenerate it instead.');
      }
      transactions.atomically(() => {
        audit.note(actor, 'key.deleted', { key: key.name });
        keys.revoke(key.id);
      });
    },
  };

  /** The team in which a new key acts; null for the personal account. Throws 400 or 403. */
  function accountFor({ person, key }: Caller, wanted: number = person.user.id): number | null {
    // A key touches no account but its own.
    if (key.kind !== 'session' && wanted !== (key.account_id ?? person.user.id)) throw sessionOnly();
    if (wanted === person.user.id) return null;
    const membership = teams.membership(wanted, person.user.id);
    if (!membership || !users.find(wanted)) {
      throw rejected(
        'account_not_found',
        'account',
        'You do not have access to this account. Choose another one.',
      );
    }
    if (powers[membership.role].manage !== true) throw roleTooLow();
    return wanted;
  }

  /** A key of the caller's account with no more permissions than the caller's own. */
  function getOwn(id: number, caller: Caller): KeyRow {
    const key = keys.findApiKey(id, reachOf(caller));
    if (!key) throw notFound('Key');
    checkCovers(caller, readScopes(key.scopes));
    return key;
  }

  /** Throws 400 for more requests than the caller's own key has, or than an administrator allows. */
  function checkRatelimit(caller: Caller, wanted: number | null): void {
    const own = limitOf(caller);
    if (own !== null && (wanted ?? ratelimit()) > own) {
      const message = `This key has a limit of ${own} requests per minute, and so has every key it creates at most.`;
      throw rejected('ratelimit_too_high', 'ratelimit', message);
    }
    if (!wanted || caller.user.admin === 1 || wanted <= ratelimit()) return;
    throw rejected(
      'ratelimit_too_high',
      'ratelimit',
      `Only administrators can allow a key more than ${ratelimit()} requests per minute.`,
    );
  }

  function expiryOf(caller: Caller, text: string | null): number | null {
    const expiresAt = text === null ? null : parseTimestamp(text, caller.user.timezone, 'end', 'expires');
    if (expiresAt !== null && expiresAt <= now()) {
      throw rejected('expires_in_past', 'expires', 'Choose a time in the future.');
    }
    if (!isWithin(expiresAt, endOf(caller))) {
      throw rejected(
        'expires_too_late',
        'expires',
        'A key cannot create keys that outlive it. Choose an earlier expiry.',
      );
    }
    return expiresAt;
  }
}

/** What a request changes of a key: its scopes and end only if they differ. */
function changesOf(sent: KeyWish, key: KeyRow, timezone: string): KeyWish {
  const hasSameScopes = sent.scopes !== undefined && storedForm(sent.scopes) === key.scopes;
  const hasSameEnd = sent.expires !== undefined && sent.expires === presentOptional(key.expires_at, timezone);
  return {
    ...sent,
    ...(hasSameScopes && { scopes: undefined }),
    ...(hasSameEnd && { expires: undefined }),
  };
}

/** The keys that a caller can see: all of the person's for a session, those of its own account for a key. */
function reachOf({ person, key }: Caller): Reach {
  const { id } = person.user;
  return { user: id, account: key.kind === 'session' ? null : (key.account_id ?? id) };
}

export type ApiKeyService = ReturnType<typeof apiKeyService>;

/** Throws 403 when something would be able to do more than the caller's own key. */
function checkCovers(caller: Caller, scopes: Scopes): void {
  const [missing] = missingScopes(readScopes(caller.key.scopes), scopes);
  if (missing !== undefined) throw scopeMissing(missing);
}

/** The end of what a caller may give away; null for none. That of a session moves on with its use. */
function endOf({ key }: Caller): number | null {
  return key.kind === 'session' ? null : key.expires_at;
}

/** The rate limit of the caller's key itself; null for the instance's default. */
function limitOf({ key }: Caller): number | null {
  return key.kind === 'custom' ? key.ratelimit : null;
}

function isWithin(end: number | null, limit: number | null): boolean {
  return limit === null || (end !== null && end <= limit);
}

function storedForm(scopes: KeyScopes): string {
  return scopes === 'full' ? 'full' : JSON.stringify([...new Set(scopes)].sort());
}
