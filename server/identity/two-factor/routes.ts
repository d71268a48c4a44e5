import {
  disableTwoFactor,
  enableTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
} from '../../contract/two-factor.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { pendingSeconds, type TwoFactorService } from './service.ts';

interface Options {
  twoFactor: TwoFactorService;
}

/** Two-factor authentication of the account behind the key. */
export function twoFactorRoutes({ twoFactor }: Options): Route[] {
  return [
    route(setUpTwoFactor, ({ caller }) => {
      const { secret, url } = twoFactor.setUp(caller.user.id, caller.key.id);
      return { data: { secret, otpauth_url: url, expires_in: pendingSeconds } };
    }),
    route(enableTwoFactor, async (call) => {
      const { caller, body } = call;
      const proof = { code: body.code, password: body.current_password };
      const codes = await twoFactor.enable(caller.user.id, caller.key.id, proof, actorOf(call));
      return {
        message: 'Two-factor authentication is on. Save the recovery codes: they are not shown again.',
        data: { recovery_codes: codes },
      };
    }),
    route(disableTwoFactor, async (call) => {
      const { code, current_password: password } = call.body;
      await twoFactor.disable(call.caller.user.id, { code, password }, actorOf(call));
      return { message: 'Two-factor authentication is off.' };
    }),
    route(renewRecoveryCodes, async (call) => {
      const { caller, body } = call;
      const codes = await twoFactor.renewRecoveryCodes(caller.user.id, body.current_password, actorOf(call));
      return {
        message: 'These are your new recovery codes. The old ones no longer work.',
        data: { recovery_codes: codes },
      };
    }),
  ];
}
