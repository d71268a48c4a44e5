import { getAccount, postAccount } from '../../contract/account.ts';
import { updateAccount } from '../../contract/account-update.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { checkGrants } from '../../platform/http/scopes.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentAccount } from './presenter.ts';
import type { AccountService } from './service.ts';

interface Options {
  accounts: AccountService;
  baseUrl: () => string;
}

/** The account that a key belongs to. */
export function accountRoutes({ accounts, baseUrl }: Options): Route[] {
  return [
    route(getAccount, ({ caller }) => ({ data: presentAccount(caller, baseUrl()) })),
    route(postAccount, ({ caller }) => ({ data: presentAccount(caller, baseUrl()) })),
    route(updateAccount, async (call) => {
      const { email, username, password } = call.body;
      // By these the owner signs in: whoever changes them may lock the owner out.
      if (email !== undefined || username !== undefined || password !== undefined) {
        checkGrants(call.caller.key.scopes, 'full');
      }
      await accounts.update(call.caller, call.body, actorOf(call), call.caller.key.id);
      return { message: 'Your account was updated.' };
    }),
  ];
}
