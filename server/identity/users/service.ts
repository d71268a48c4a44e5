import { rejected } from '../../platform/errors.ts';
import type { Account, Plan, UserRecord, UserRow } from '../../platform/http/caller.ts';
import { canonicalTimezone } from '../../platform/http/timezones.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { noPassword, type Passwords } from '../keys/passwords.ts';
import type { PlanQueries } from '../plans/queries.ts';
import type { UserQueries } from './queries.ts';

export interface Registration {
  email: string;
  username: string;
  password: string;
  name?: string | undefined;
  /** What their browser sends: an IANA name, used if known, and the language of the app. */
  timezone?: string | undefined;
  language?: string | undefined;
}

/** A new person; without a password, only another sign-in method works. */
type NewPerson = Omit<Registration, 'password'> & Partial<Pick<Registration, 'password'>>;

/** What a registration does not say itself. */
export interface Admission {
  admin?: boolean | undefined;
  /** The plan of new accounts when absent. */
  planId?: number | undefined;
  planExpiresAt?: number | null | undefined;
  /** Whether anyone other than the person confirmed that the address is theirs. */
  verified?: boolean | undefined;
}

interface Options {
  queries: UserQueries;
  plans: PlanQueries;
  passwords: Passwords;
  now: () => number;
  /** The default time zone of new accounts: the instance's own. */
  timezone: string;
  /** Plan of new accounts; everyone is on Pro until the administrator says otherwise (decision 0010). */
  defaultPlan: () => number;
}

/** Accounts. */
export function userService({ queries, plans, passwords, now, timezone, defaultPlan }: Options) {
  function planOf(user: UserRow): Plan {
    // `expires` in the past means the free plan.
    const expired = user.plan_expires_at !== null && user.plan_expires_at <= now();
    const plan = expired ? plans.findFree() : plans.find(user.plan_id);
    if (!plan) throw new Error(`user ${user.id} has no plan`);
    return plan;
  }

  /** Throws 400 if an email address or user name belongs to another account. */
  function checkUnique({ email, username }: { email?: string; username?: string }, ownId?: number): void {
    const isTaken = (name: string | undefined) => {
      const found = name === undefined ? undefined : queries.findByLogin(caseFold(name));
      return found !== undefined && found.id !== ownId;
    };
    if (isTaken(email)) throw taken('email', 'This email is already in use.');
    if (isTaken(username)) throw taken('username', 'This username is already in use.');
  }

  return {
    hasAny: (): boolean => queries.hasAny(),

    /** The account of a user id; undefined if it does not exist or is disabled. */
    find(id: number): Account | undefined {
      const user = queries.find(id);
      return user?.active ? { user, plan: planOf(user) } : undefined;
    },

    /** The same, also when it was switched off. */
    findAny(id: number): Account | undefined {
      const user = queries.find(id);
      return user && { user, plan: planOf(user) };
    },

    /** A person's personal account; undefined if there is none, and for a team. */
    findPerson(id: number): Account | undefined {
      const user = queries.find(id);
      return user?.kind === 'person' ? { user, plan: planOf(user) } : undefined;
    },

    /** The account with the next id, including teams: to process all of them, a few at a time. */
    findAfter(id: number): Account | undefined {
      const user = queries.findAfter(id);
      return user && { user, plan: planOf(user) };
    },

    linkCount: (id: number): number => queries.linkCount(id),

    findByLogin: (login: string): UserRow | undefined => queries.findByLogin(caseFold(login)),

    /**
     * Hashes the password first, in the name of `party`, which takes a while; then `insert` is one synchronous step.
     */
    async prepare(registration: NewPerson, party: string): Promise<(admission?: Admission) => number> {
      const { password } = registration;
      const passwordHash = password === undefined ? noPassword : await passwords.hash(password, party);
      return ({ admin = false, planId = defaultPlan(), planExpiresAt = null, verified = true } = {}) => {
        const { email, username, name = '', language = '' } = registration;
        checkUnique({ email, username });
        return queries.insert({
          email,
          emailFolded: caseFold(email),
          username,
          usernameFolded: caseFold(username),
          name,
          passwordHash,
          admin: admin ? 1 : 0,
          planId,
          planExpiresAt,
          registeredAt: now(),
          timezone: canonicalTimezone(registration.timezone ?? '') ?? timezone,
          language,
          verified: verified ? 1 : 0,
        });
      };
    },

    /** Writes changed fields. Throws 400 `email_taken` or `username_taken`. */
    update(id: number, change: Partial<UserRecord>): void {
      const user = queries.find(id);
      if (!user) throw new Error(`there is no user ${id}`);
      const next = { ...user, ...change };
      if (user.kind === 'person') {
        checkUnique(
          { email: next.email, ...(next.username !== user.username && { username: next.username }) },
          id,
        );
      }
      // Teams have no login names; their placeholders are unique and match nobody.
      const isTeam = user.kind === 'team';
      queries.update(id, toRecord(next), {
        emailFolded: isTeam ? `\n${id}` : caseFold(next.email),
        usernameFolded: isTeam ? `\n${id}` : caseFold(next.username),
      });
    },

    setPasswordHash: (id: number, hash: string): void => queries.setPassword(id, hash),
    setMailerKey: (id: number, sealed: string | null): void => queries.setMailerKey(id, sealed),

    /** Whether this account is the only one that can administer the instance. */
    isLastAdmin: (user: UserRow): boolean =>
      user.admin === 1 && user.active === 1 && queries.countOtherAdmins(user.id) === 0,
  };
}

export type UserService = ReturnType<typeof userService>;

function toRecord(row: UserRow): UserRecord {
  const {
    id: _id,
    kind: _kind,
    trashed_at: _trashed,
    registered_at: _registered,
    default_host: _host,
    has_2fa: _twoFactor,
    ...record
  } = row;
  return record;
}

function taken(field: 'email' | 'username', message: string) {
  return rejected(`${field}_taken`, field, message);
}
