import type { Actor } from '../../platform/audit/actor.ts';
import type { AuditDetails, AuditLog } from '../../platform/audit/service.ts';
import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, Refusal, rejected } from '../../platform/errors.ts';
import type { Account, UserRecord } from '../../platform/http/caller.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import type { Passwords } from '../keys/passwords.ts';
import type { KeyService } from '../keys/service.ts';
import type { TeamQueries } from '../teams/queries.ts';
import type { TwoFactorService } from '../two-factor/service.ts';
import type { UserLists } from './queries.ts';
import type { AccountRemoval } from './removal.ts';
import type { Admission, Registration, UserService } from './service.ts';

/** What an administrator may change of an account; moments are UTC milliseconds. */
export interface UserChange {
  email?: string | undefined;
  username?: string | undefined;
  name?: string | undefined;
  password?: string | undefined;
  planId?: number | undefined;
  planExpiresAt?: number | null | undefined;
  admin?: boolean | undefined;
  active?: boolean | undefined;
  verified?: boolean | undefined;
  resetsTwoFactor?: boolean | undefined;
}

/** Called within the transaction that deletes an account; returns the work to do after its commit. */
export type RemovalHook = (userId: number) => () => Promise<void>;

/** Transfers everything that an account owns to another one, in slices. Throws 503 if the server stops. */
export type HandOver = (from: Account, to: Account, actor: Actor) => Promise<void>;

interface Options {
  users: UserService;
  lists: UserLists;
  keys: KeyService;
  passwords: Passwords;
  twoFactor: TwoFactorService;
  planExists: (id: number) => boolean;
  transactions: Transactions;
  audit: AuditLog;
  removal: Pick<AccountRemoval, 'mark'>;
  /** Deletes the data of deleted accounts; resolves when that is done, or takes long. */
  wakeRemoval: () => Promise<void>;
  teams: Pick<TeamQueries, 'ownedBy' | 'trashedOf'>;
  now: () => number;
}

/** What administrators do with accounts (decision 0010). */
export function userAdminService(options: Options) {
  const { users, keys, passwords, twoFactor, planExists, transactions, audit } = options;
  const { removal, wakeRemoval, teams, now } = options;
  const removalHooks: RemovalHook[] = [];
  const handOvers: HandOver[] = [];

  function get(id: number): Account {
    const account = users.findPerson(id);
    if (!account) throw notFound('User');
    return account;
  }

  /** Deletes an account immediately; runs inside a transaction. Returns the work to do afterwards. */
  function erase(id: number): () => Promise<void> {
    const rest = removalHooks.map((prepare) => prepare(id));
    removal.mark(id, now());
    return async () => void (await Promise.all([...rest.map((work) => work()), wakeRemoval()]));
  }

  function checkPlan(planId: number | undefined): void {
    if (planId !== undefined && !planExists(planId)) {
      throw rejected('unknown_plan', 'planid', 'Plan not found.');
    }
  }

  /** Throws 404, or 400 for the last administrator and for owners of teams. */
  function checkRemovable(id: number): Account {
    const account = get(id);
    if (users.isLastAdmin(account.user)) throw lastAdministrator();
    const owned = teams.ownedBy(id);
    if (owned.length > 0) throw ownsTeams(owned);
    return account;
  }

  /**
   * The account disappears immediately; if it has very many links, the rest is deleted after the response. Throws 404,
   * or 400 for the last administrator, and `owns_teams` for people whose teams would have no owner.
   */
  async function remove(id: number, actor: Actor): Promise<void> {
    const finish = transactions.atomically(() => {
      const { user } = checkRemovable(id);
      keys.endStreams(id);
      audit.note(actor, 'user.deleted', { username: user.username, email: user.email }, id);
      // Nobody can restore the deleted records of a deleted owner.
      return [...teams.trashedOf(id), id].map(erase);
    });
    await Promise.all(finish.map((work) => work()));
  }

  return {
    get,

    /** Registers work to do when an account is deleted. */
    onRemoval: (hook: RemovalHook): void => void removalHooks.push(hook),

    /** Registers how a deleted account's records are transferred to another person. */
    onHandOver: (hook: HandOver): void => void handOvers.push(hook),

    find: (id: number): Account | undefined => users.findPerson(id),

    /** Ids of all personal accounts, newest first, or of the one with an address: JSON lists of a few thousand. */
    idLists: (email: string | undefined): Promise<string[]> =>
      options.lists.idLists(email === undefined ? undefined : caseFold(email)),

    linkCount: (id: number): number => users.linkCount(id),
    ownedTeamsOf: (id: number) => teams.ownedBy(id),

    /** Throws 400 `email_taken`, `username_taken` or `unknown_plan`. The account gets its API key (contract). */
    async add(registration: Registration, admission: Admission, actor: Actor): Promise<Account> {
      checkPlan(admission.planId);
      const insert = await users.prepare(registration, partyOf(actor));
      return transactions.atomically(() => {
        // Again: it may have been deleted while the password was hashed.
        checkPlan(admission.planId);
        const id = insert(admission);
        // Nobody sees its secret: its owner regenerates it after signing in.
        keys.create(id, 'primary', 'Primary key');
        audit.note(actor, 'user.added', { username: registration.username }, id);
        return get(id);
      });
    },

    /** Throws 404 or 400; the last administrator stays one. A new password ends every session and key. */
    async update(id: number, change: UserChange, actor: Actor): Promise<void> {
      get(id);
      checkPlan(change.planId);
      const { password } = change;
      const hash = password === undefined ? undefined : await passwords.hash(password, partyOf(actor));
      transactions.atomically(() => {
        const { user } = get(id);
        // Again, as above.
        checkPlan(change.planId);
        const loses = change.admin === false || change.active === false;
        if (loses && users.isLastAdmin(user)) throw lastAdministrator();
        users.update(id, recordOf(change, hash));
        if (hash !== undefined) keys.revokeAll(id);
        else if (change.active === false) keys.revokeSessions(id);
        if (change.active === false) keys.endStreams(id);
        if (change.resetsTwoFactor) twoFactor.reset(id);
        audit.note(actor, 'user.updated', detailsOf(change), id);
      });
    },

    erase,

    /** Puts an account on a plan, that of a team included. Throws 404. */
    assignPlan(id: number, planId: number, planExpiresAt: number | null, actor: Actor): void {
      transactions.atomically(() => {
        const account = users.findAny(id);
        if (!account || account.user.trashed_at !== null) throw notFound('User');
        users.update(id, { plan_id: planId, plan_expires_at: planExpiresAt });
        audit.note(actor, 'user.updated', { fields: ['planId', 'planExpiresAt'], planid: planId }, id);
      });
    },

    remove,

    /**
     * Transfers what a person owns to another one, and deletes the account. This may exceed the recipient's plan.
     * Throws the errors of `remove`, and 400 for an invalid recipient.
     */
    async handOver(id: number, heirId: number, actor: Actor): Promise<void> {
      const account = checkRemovable(id);
      const heir = users.findPerson(heirId);
      if (!heir?.user.active || heirId === id) {
        throw rejected('unknown_user', 'personal', 'Choose another person who can sign in.');
      }
      for (const hand of handOvers) await hand(account, heir, actor);
      await remove(id, actor);
    },
  };
}

export type UserAdminService = ReturnType<typeof userAdminService>;

function recordOf(change: UserChange, hash: string | undefined): Partial<UserRecord> {
  const { email, username, name, planId, planExpiresAt } = change;
  const record = {
    email,
    username,
    name,
    password_hash: hash,
    plan_id: planId,
    plan_expires_at: planExpiresAt,
    admin: flag(change.admin),
    active: flag(change.active),
    // An administrator vouches for the address that they enter.
    verified: flag(change.verified ?? (email === undefined ? undefined : true)),
  };
  // Absent fields must not overwrite; the rest has the names and types of a record.
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined),
  ) as Partial<UserRecord>;
}

function flag(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : value ? 1 : 0;
}

/** What the audit log keeps of a change: which fields, and the values of those that are no secret. */
function detailsOf(change: UserChange): AuditDetails {
  const { email, username, planId, admin, active } = change;
  const shown = { email, username, planid: planId, admin, active };
  const fields = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return {
    fields,
    ...(Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)) as AuditDetails),
  };
}

function ownsTeams(teams: { id: number; name: string }[]): Refusal {
  const message = 'This person owns teams. Transfer or delete them first.';
  return new Refusal(400, message, { code: 'owns_teams', data: { teams } });
}

function lastAdministrator() {
  return rejected(
    'last_administrator',
    undefined,
    'This is the last administrator. Make another account an administrator first.',
  );
}

/** Whose turn it is to have a password hashed; the terminal has no account. */
function partyOf({ userId }: Actor): string {
  return userId === null ? 'terminal' : accountParty(userId);
}
