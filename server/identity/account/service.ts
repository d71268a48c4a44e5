import { randomBytes } from 'node:crypto';
import type { AccountChange } from '../../contract/account-update.ts';
import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditDetails, AuditLog } from '../../platform/audit/service.ts';
import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { rejected } from '../../platform/errors.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import type { Account, KeyRow, UserRecord } from '../../platform/http/caller.ts';
import { canonicalTimezone } from '../../platform/http/timezones.ts';
import { squareImage } from '../../platform/images/images.ts';
import { isSameAddress } from '../../platform/text/mail-address.ts';
import { storedObject } from '../../platform/text/stored-json.ts';
import type { Vault } from '../../platform/vault.ts';
import { noPassword, type Passwords } from '../keys/passwords.ts';
import { purposes } from '../keys/purposes.ts';
import type { KeyService } from '../keys/service.ts';
import type { StorageQuota } from '../plans/storage-quota.ts';
import type { Proof } from '../sessions/proof.ts';
import type { UserService } from '../users/service.ts';
import { avatarPathOf } from './avatar.ts';
import type { AvatarQueries, Picture } from './queries.ts';

/** Contract, "Limits": 500x500. The fetched file may be larger (T-14). */
const avatarEdge = 500;
const maxAvatarBytes = 5_000_000;

interface Options {
  users: UserService;
  keys: KeyService;
  passwords: Passwords;
  prove: Proof;
  vault: Vault;
  avatars: AvatarQueries;
  quota: Pick<StorageQuota, 'within'>;
  fetcher: Fetcher;
  baseUrl: () => string;
  /** Id of a domain that the account may use, null for the instance's own address. Throws 400. */
  domainOf: (reference: string, userId: number) => number | null;
  transactions: Transactions;
  audit: AuditLog;
  /** Tells the former address of a person that it was changed. */
  tellFormerAddress: (change: { userId: number; from: string }) => void;
  now: () => number;
}

/** A change of one account. */
interface AccountPart {
  account: Account;
  change: AccountChange;
}

/** The account that a key belongs to: the rules of the contract's table for PUT /api/account/update. */
export function accountService(options: Options) {
  const { users, keys, passwords, prove, vault, avatars, fetcher, quota, transactions, audit, baseUrl } =
    options;

  return {
    /**
     * Updates the fields sent for each account, all or none. Throws 400 with the invalid field, or 429 after five
     * wrong passwords. A new password ends all other sessions and keys of the person, unless `keep` is true, or `keys`
     * for the keys.
     */
    async update(parts: readonly AccountPart[], actor: Actor, key: KeyRow): Promise<void> {
      const writes: (() => void)[] = [];
      for (const part of parts) {
        // Personal changes are in the person's own log, whichever account they act on.
        writes.push(await prepare(part, { ...actor, accountId: part.account.user.id }, key));
      }
      transactions.atomically(() => {
        for (const write of writes) write();
      });
    },
  };

  /** Checks a change, and does what takes its time; what it returns writes it, inside a transaction. */
  async function prepare({ account, change }: AccountPart, actor: Actor, key: KeyRow): Promise<() => void> {
    const { user } = account;
    const record = recordOf(account, change);
    if (change.password !== undefined) {
      const { current_password: password, code } = change;
      const hasPassword = user.password_hash !== noPassword;
      if (hasPassword && !password) throw currentPasswordRequired();
      const field = hasPassword ? 'current_password' : 'password';
      await prove({ person: account, key }, { password, code }, actor, { field });
      record.password_hash = await passwords.hash(change.password, accountParty(user.id));
    }
    // The present address changes nothing: it is what a client sends that returns what it has read.
    const avatar = change.avatar === baseUrl() + avatarPathOf(user) ? undefined : change.avatar;
    const picture = avatar ? await fetchAvatar(avatar, accountParty(user.id)) : undefined;
    if (picture) record.avatar = randomBytes(8).toString('hex');
    else if (avatar === null) record.avatar = null;

    return () => {
      // Again: the domain may have been deleted while this waited for a picture or a hash.
      recordOf(account, change);
      if (change.address) record.address = mergeAddress(addressOf(user.id), change.address);
      users.update(user.id, record);
      if (picture) quota.within(account, 'avatar', () => avatars.put(user.id, picture));
      else if (avatar === null) avatars.remove(user.id);
      if (change.mailerapikey !== undefined) storeMailerKey(user.id, change.mailerapikey);
      if (change.password !== undefined) endOthers(user.id, change.keep, key.id);
      noteChanges(account, change, actor);
    };
  }

  function recordOf({ user, plan }: Account, change: AccountChange): Partial<UserRecord> {
    const isOtherAddress = change.email !== undefined && !isSameAddress(change.email, user.email);
    const timezone = change.timezone === undefined ? undefined : canonicalTimezone(change.timezone);
    if (change.timezone !== undefined && timezone === undefined) {
      throw rejected('invalid_timezone', 'timezone', 'Use a time zone name, such as Europe/Berlin.');
    }
    const { email, username, name, language, perpage } = change;
    return withoutUndefined({
      email,
      // Only this person claims that it is theirs.
      verified: isOtherAddress ? (0 as const) : undefined,
      username,
      name,
      timezone,
      language,
      perpage,
      newsletter: flag(change.newsletter),
      brokenlinks_email: flag(change.brokenlinks_email),
      signin_email: flag(change.signin_email),
      domains_email: flag(change.domains_email),
      media: flag(change.media),
      public: flag(change.public),
      // Both are silently ignored on a free account (contract), whatever they are.
      defaulttype: plan.free ? undefined : change.defaulttype,
      default_domain_id:
        plan.free || change.domain === undefined
          ? undefined
          : change.domain === ''
            ? null
            : options.domainOf(change.domain, user.id),
    });
  }

  /** Read late: another request may have changed it while this one waited for a picture or a hash. */
  function addressOf(userId: number): string {
    return users.findAny(userId)?.user.address ?? '{}';
  }

  async function fetchAvatar(url: string, party: string): Promise<Picture> {
    const { body } = await fetcher.get(url, {
      maxBytes: maxAvatarBytes,
      field: 'avatar',
      party,
    });
    return squareImage(body, avatarEdge, { field: 'avatar', party });
  }

  function endOthers(userId: number, keep: AccountChange['keep'], keyId: number): void {
    if (keep === 'keys') keys.revokeSessions(userId, keyId);
    else if (!keep) keys.revokeAll(userId, keyId);
  }

  function storeMailerKey(userId: number, key: string | null): void {
    users.setMailerKey(userId, key ? vault.seal(key, purposes.mailerKey(userId)) : null);
  }

  function noteChanges({ user }: Account, change: AccountChange, actor: Actor): void {
    const note = (what: string, details: AuditDetails = {}) => audit.note(actor, `account.${what}`, details);
    const { email, username } = change;
    if (email !== undefined && email !== user.email) note('email', { from: user.email, to: email });
    if (email !== undefined && !isSameAddress(email, user.email))
      options.tellFormerAddress({ userId: user.id, from: user.email });
    if (username !== undefined && username !== user.username) {
      note('username', { from: user.username, to: username });
    }
    if (change.password !== undefined) note('password', { kept: change.keep ?? false });
    if (change.mailerapikey !== undefined) note('mailerapikey', { set: Boolean(change.mailerapikey) });
  }
}

export type AccountService = ReturnType<typeof accountService>;

function flag(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0;
}

function mergeAddress(stored: string, change: NonNullable<AccountChange['address']>): string {
  return JSON.stringify({ ...storedObject(stored), ...withoutUndefined(change) });
}

/** The entries that are there: an absent field of a change must not overwrite. */
function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The same keys, but for those that are absent.
  return Object.fromEntries(entries) as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
}

function currentPasswordRequired() {
  return rejected(
    'current_password_required',
    'current_password',
    'Enter your current password to choose a new one.',
  );
}
