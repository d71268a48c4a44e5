import { getAccount, postAccount } from '../../contract/account.ts';
import { updateAccount } from '../../contract/account-update.ts';
import { powers } from '../../contract/roles.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { isInTeam, roleTooLow, sessionOnly } from '../../platform/http/member-check.ts';
import { checkFull } from '../../platform/http/scopes.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentActing } from './presenter.ts';
import type { AccountService } from './service.ts';

interface Options {
  accounts: AccountService;
  baseUrl: () => string;
}

/** The account that a key belongs to. */
export function accountRoutes({ accounts, baseUrl }: Options): Route[] {
  return [
    route(getAccount, ({ caller }) => ({ data: presentActing(caller, baseUrl()) })),
    route(postAccount, ({ caller }) => ({ data: presentActing(caller, baseUrl()) })),
    route(
      updateAccount,
      async (call) => {
        const { caller, body } = call;
        const { email, username, password, current_password: current, keep, language, ...settings } = body;
        const signIn = { email, username, password, current_password: current, keep };
        const changesSignIn = [email, username, password].some((value) => value !== undefined);
        // These are used to sign in: changing them may lock the person out.
        if (changesSignIn) checkFull(caller);
        if (!isInTeam(caller)) {
          await accounts.update([{ account: caller, change: body }], actorOf(call), caller.key);
        } else {
          // Those are the person's wherever they act, the rest is the team's.
          const changesPerson = changesSignIn || language !== undefined;
          if (changesPerson && caller.key.kind !== 'session') throw sessionOnly();
          const changesTeam = Object.values(settings).some((value) => value !== undefined);
          if (changesTeam && powers[caller.role].manage !== true) throw roleTooLow();
          const parts = [
            ...(changesPerson ? [{ account: caller.person, change: { ...signIn, language } }] : []),
            ...(changesTeam ? [{ account: caller, change: settings }] : []),
          ];
          await accounts.update(parts, actorOf(call), caller.key);
        }
        return { message: 'Your account was updated.' };
      },
      ({ caller }) => presentActing(caller, baseUrl()),
    ),
  ];
}
