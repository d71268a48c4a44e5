import { addUser, deleteUser, getUser, listUsers, type User, updateUser } from '../../contract/users.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { keyExpires, scopeMissing } from '../../platform/errors.ts';
import type { Account, Caller } from '../../platform/http/caller.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { parseTimestamp } from '../../platform/http/timestamps.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { presentAccount } from '../account/presenter.ts';
import type { UserAdminService } from './admin-service.ts';

interface Options {
  users: UserAdminService;
  baseUrl: () => string;
}

/** Accounts, for administrators (decision 0010; the paths are those of other installations). */
export function userRoutes({ users, baseUrl }: Options): Route[] {
  return [
    route(listUsers, ({ caller, query }) => {
      const shown = users.all().filter(({ user, plan }) => {
        if (query.email !== undefined && caseFold(query.email) !== caseFold(user.email)) return false;
        if (query.filter === 'admin') return user.admin === 1;
        return query.filter === undefined || (query.filter === 'free') === plan.free;
      });
      const [links, teams] = [users.linkCounts(), users.ownedTeams()];
      return {
        data: shown.map((account) =>
          present(account, caller, links.get(account.user.id) ?? 0, teams.get(account.user.id) ?? []),
        ),
      };
    }),
    route(getUser, ({ caller, id }) => ({ data: presentOne(id, caller) })),
    route(addUser, async (call) => {
      const { caller, body } = call;
      const { planid: planId, expiration, admin, ...registration } = body;
      if (admin) checkFull(caller);
      const planExpiresAt = timestampOf(expiration, caller);
      const { user } = await users.add(registration, { admin, planId, planExpiresAt }, actorOf(call));
      return {
        message: 'The account was created.',
        data: { id: user.id, email: user.email, username: user.username },
      };
    }),
    route(
      updateUser,
      async (call) => {
        const { caller, body, id } = call;
        const { planid: planId, expiration, has_2fa: twoFactor, ...fields } = body;
        // With these somebody could sign in as another account, which may do more than a limited key.
        const { password, email, username } = body;
        const changesSignIn = [password, email, username].some((value) => value !== undefined);
        if (body.admin || changesSignIn || twoFactor === false) checkFull(caller);
        const change = {
          ...fields,
          planId,
          planExpiresAt: timestampOf(expiration, caller),
          resetsTwoFactor: twoFactor === false || undefined,
        };
        await users.update(id, change, actorOf(call));
        return { message: 'The account was updated.' };
      },
      ({ caller, id }) => presentOne(id, caller),
    ),
    route(deleteUser, async (call) => {
      const { personal } = call.query;
      if (personal === 'delete') {
        await users.remove(call.id, actorOf(call));
        return { message: 'The account was deleted.' };
      }
      await users.handOver(call.id, personal, actorOf(call));
      return { message: 'The account was deleted. What it owned was moved.' };
    }),
  ];

  function present(account: Account, caller: Caller, links: number, teams: User['owns_teams']): User {
    return { ...presentAccount(account, baseUrl(), caller.user.timezone), links, owns_teams: teams };
  }

  /** Looks at what this person has alone: the instance may have thousands of others. Throws 404. */
  function presentOne(id: number, caller: Caller): User {
    return present(users.get(id), caller, users.linkCount(id), users.ownedTeamsOf(id));
  }
}

function timestampOf(text: string | null | undefined, caller: Caller): number | null | undefined {
  return typeof text === 'string' ? parseTimestamp(text, caller.user.timezone, 'end', 'expiration') : text;
}

/** Throws 403 unless the key may do everything, for as long as it likes: a sign-in outlives the key that it came from. */
function checkFull(caller: Caller): void {
  if (caller.key.scopes !== 'full') throw scopeMissing('full');
  if (caller.key.kind === 'custom' && caller.key.expires_at !== null) throw keyExpires();
}
