import {
  disableTwoFactor,
  enableTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
} from '../../contract/two-factor.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { checkFull } from '../../platform/http/scopes.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import type { Proof } from '../sessions/proof.ts';
import { pendingSeconds, type TwoFactorService } from './service.ts';

interface Options {
  twoFactor: TwoFactorService;
  prove: Proof;
}

/** Two-factor authentication of the account behind the key. */
export function twoFactorRoutes({ twoFactor, prove }: Options): Route[] {
  return [
    route(setUpTwoFactor, ({ caller }) => {
      checkFull(caller);
      const { secret, url } = twoFactor.setUp(caller.user.id, caller.key.id);
      return { data: { secret, otpauth_url: url, expires_in: pendingSeconds } };
    }),
    route(enableTwoFactor, async (call) => {
      const { caller, body } = call;
      const proof = { code: body.code, password: body.current_password };
      const codes = await twoFactor.enable(caller.user.id, caller.key, proof, actorOf(call));
      return {
        message: 'Two-factor authentication is on. Save the recovery codes: they are not shown again.',
        data: { recovery_codes: codes },
      };
    }),
    route(disableTwoFactor, async (call) => {
      checkFull(call.caller);
      const { code, current_password: password } = call.body;
      const { user, key } = call.caller;
      await twoFactor.disable(user.id, key, { code, password }, actorOf(call));
      return { message: 'Two-factor authentication is off.' };
    }),
    route(renewRecoveryCodes, async (call) => {
      const { caller, body } = call;
      checkFull(caller);
      const actor = actorOf(call);
      const given = { password: body.current_password, code: body.code };
      const codes = await twoFactor.renewRecoveryCodes(
        caller.user.id,
        () => prove(caller, given, actor),
        actor,
      );
      return {
        message: 'These are your new recovery codes. The old ones no longer work.',
        data: { recovery_codes: codes },
      };
    }),
  ];
}
