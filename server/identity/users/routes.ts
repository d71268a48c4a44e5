import type { QueryOf } from '../../contract/endpoint.ts';
import { addUser, deleteUser, getUser, listUsers, type User, updateUser } from '../../contract/users.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import type { Account, Caller } from '../../platform/http/caller.ts';
import { checkFull } from '../../platform/http/scopes.ts';
import { sendDocument } from '../../platform/http/sent-file.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { parseTimestamp } from '../../platform/http/timestamps.ts';
import { presentAccount } from '../account/presenter.ts';
import type { UserAdminService } from './admin-service.ts';

interface Options {
  users: UserAdminService;
  baseUrl: () => string;
}

/** Accounts processed before yielding: about a millisecond. */
const shownAtOnce = 20;

/** Accounts, for administrators (decision 0010; the paths are those of other installations). */
export function userRoutes({ users, baseUrl }: Options): Route[] {
  return [
    route(listUsers, async ({ caller, query, context, checkStillAllowed }) => {
      sendDocument(
        context,
        listed(await users.idLists(query.email), query.filter, caller, checkStillAllowed),
      );
      return undefined;
    }),
    route(getUser, ({ caller, id }) => ({ data: present(users.get(id), caller) })),
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
        // With these, the key could sign in as another account, which may have more permissions than it.
        const { password, email, username } = body;
        const changesSignIn = [password, email, username].some((value) => value !== undefined);
        // By an address that counts as theirs, somebody may be signed in to the account by the provider.
        if (body.admin || body.verified || changesSignIn || twoFactor === false) checkFull(caller);
        const change = {
          ...fields,
          planId,
          planExpiresAt: timestampOf(expiration, caller),
          resetsTwoFactor: twoFactor === false || undefined,
        };
        await users.update(id, change, actorOf(call));
        return { message: 'The account was updated.' };
      },
      ({ caller, id }) => present(users.get(id), caller),
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

  /** The whole list (other servers have no pages of it), some accounts at a time. */
  async function* listed(
    idLists: readonly string[],
    filter: QueryOf<typeof listUsers>['filter'],
    caller: Caller,
    check: () => void,
  ): AsyncGenerator<string> {
    let separator = '{"error":0,"data":[';
    for (const list of idLists) {
      const ids = JSON.parse(list) as number[];
      while (ids.length > 0) {
        // Yields.
        await new Promise((resolve) => setImmediate(resolve));
        check();
        const found = ids.splice(0, shownAtOnce).flatMap((id) => users.find(id) ?? []);
        const shown = found.filter((account) => isWanted(account, filter));
        if (shown.length === 0) continue;
        yield separator + shown.map((account) => JSON.stringify(present(account, caller))).join(',');
        separator = ',';
      }
    }
    yield separator === ',' ? ']}' : `${separator}]}`;
  }

  /** Reads only this person's data: the instance may have thousands of others. */
  function present(account: Account, caller: Caller): User {
    const { id } = account.user;
    return {
      ...presentAccount(account, baseUrl(), caller.user.timezone),
      links: users.linkCount(id),
      owns_teams: users.ownedTeamsOf(id),
    };
  }
}

function isWanted({ user, plan }: Account, filter: QueryOf<typeof listUsers>['filter']): boolean {
  if (filter === 'admin') return user.admin === 1;
  return filter === undefined || (filter === 'free') === plan.free;
}

function timestampOf(text: string | null | undefined, caller: Caller): number | null | undefined {
  return typeof text === 'string' ? parseTimestamp(text, caller.user.timezone, 'end', 'expiration') : text;
}
