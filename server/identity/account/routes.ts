import { getAccount, postAccount } from '../../contract/account.ts';
import { updateAccount } from '../../contract/account-update.ts';
import { actorOf } from '../../platform/audit/actor.ts';
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
      await accounts.update(call.caller, call.body, actorOf(call), call.caller.key.id);
      return { message: 'Your account was updated.' };
    }),
  ];
}
