import { rejected } from '../errors.ts';
import { fold } from '../fold.ts';
import type { Passwords } from '../keys/passwords.ts';
import type { Plan, PlanQueries } from '../plans/queries.ts';
import type { UserQueries, UserRow } from './queries.ts';

/** Who a request speaks for, with what that account may do now. */
export interface Account {
  user: UserRow;
  plan: Plan;
}

export interface Registration {
  email: string;
  username: string;
  password: string;
  name?: string | undefined;
}

interface Options {
  queries: UserQueries;
  plans: PlanQueries;
  passwords: Passwords;
  now: () => number;
  /** Time zone of new accounts: the instance's own. */
  timezone: string;
  /** Plan of new accounts; everyone is on Pro until the administrator says otherwise (decisions, section 3). */
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

  return {
    hasAny: (): boolean => queries.hasAny(),

    /** The account of a user id; undefined when there is none or it was switched off. */
    find(id: number): Account | undefined {
      const user = queries.find(id);
      return user?.active ? { user, plan: planOf(user) } : undefined;
    },

    findByLogin: (login: string): UserRow | undefined => queries.findByLogin(fold(login)),

    /** Hashes the password first, which takes a while; then `insert` is one synchronous step. */
    async prepare(registration: Registration): Promise<(admin: boolean) => number> {
      const passwordHash = await passwords.hash(registration.password);
      return (admin) => {
        const { email, username, name = '' } = registration;
        if (queries.findByLogin(fold(email))) throw taken('email', 'This e-mail address is already in use.');
        if (queries.findByLogin(fold(username))) throw taken('username', 'This user name is already in use.');
        return queries.insert({
          email,
          emailFolded: fold(email),
          username,
          usernameFolded: fold(username),
          name,
          passwordHash,
          admin: admin ? 1 : 0,
          planId: defaultPlan(),
          registeredAt: now(),
          timezone,
        });
      };
    },

    setPasswordHash: (id: number, hash: string): void => queries.setPassword(id, hash),
  };
}

export type UserService = ReturnType<typeof userService>;

function taken(field: 'email' | 'username', message: string) {
  return rejected(`${field}_taken`, field, message);
}
