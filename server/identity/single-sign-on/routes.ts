import {
  addIdentity,
  deleteIdentity,
  finishSingleSignOn,
  getProvider,
  listIdentities,
  signInMethods,
  startLinking,
  startSingleSignOn,
  testProvider,
  updateProvider,
} from '../../contract/single-sign-on.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { checkFull } from '../../platform/http/scopes.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { noPassword } from '../keys/passwords.ts';
import { deviceOf } from '../sessions/device.ts';
import { presentSignedIn } from '../sessions/presenter.ts';
import type { IdentityRow } from './queries.ts';
import { redirectUriAt, type SingleSignOn } from './service.ts';
import type { SettingsOfProvider } from './settings.ts';

interface Options {
  singleSignOn: SingleSignOn;
  provider: SettingsOfProvider;
  /** Whether a forgotten password can be replaced by mail. */
  offersReset: () => boolean;
  baseUrl: () => string;
}

/** Single sign-on: its settings, signing in with it, and who a person is at the provider. */
export function singleSignOnRoutes({ singleSignOn, provider, offersReset, baseUrl }: Options): Route[] {
  /**
   * The page's origin: its header was compared with the list of the instance's hosts before (T-02); programs send none.
   */
  const originOf = ({ request }: { request: { headers: { origin?: string | undefined } } }) =>
    new URL(request.headers.origin ?? baseUrl()).origin;
  const present = () => ({
    ...provider.settings(),
    hassecret: provider.hasSecret(),
    redirecturi: redirectUriAt(baseUrl()),
  });
  return [
    route(getProvider, () => ({ data: present() })),
    route(updateProvider, (call) => {
      checkFull(call.caller);
      provider.update(call.body, actorOf(call));
      return { message: 'The single sign-on settings were saved.', data: present() };
    }),
    route(testProvider, async (call) => {
      const isKnown = await singleSignOn.test(originOf(call));
      return {
        message: isKnown
          ? 'The provider responds and knows this client.'
          : 'The provider responds with its configuration. It does not say whether it knows this client.',
      };
    }),
    route(signInMethods, () => {
      const { enabled, name } = provider.settings();
      return {
        data: {
          passwords: provider.allowsPasswords(),
          sso: enabled ? { name } : null,
          reset: offersReset(),
        },
      };
    }),
    route(startSingleSignOn, async (call) => ({
      data: { url: await singleSignOn.startSignIn(originOf(call), call.body.secret) },
    })),
    route(finishSingleSignOn, async (call) => {
      const { body, request, address } = call;
      const device = body.device || deviceOf(request.headers['user-agent']);
      const back = { origin: originOf(call), answer: body.answer, secret: body.secret };
      return {
        message: 'Signed in.',
        data: presentSignedIn(await singleSignOn.signIn(back, device, address), baseUrl()),
      };
    }),
    route(listIdentities, async ({ caller, query }) => {
      const page = singleSignOn.identities(caller.user.id, query.limit, offsetOf(query));
      const { data } = await pageReply('identities', page, query, (row) =>
        presentIdentity(row, caller.user.timezone),
      );
      return { data: { ...data, haspassword: caller.user.password_hash !== noPassword } };
    }),
    route(startLinking, async (call) => {
      checkFull(call.caller);
      const { secret, current_password: password, code } = call.body;
      const way = { origin: originOf(call), secret };
      const url = await singleSignOn.startLinking(call.caller, { password, code }, way, actorOf(call));
      return { data: { url } };
    }),
    route(addIdentity, async (call) => {
      const { answer, secret } = call.body;
      const id = await singleSignOn.link(
        call.caller,
        { origin: originOf(call), answer, secret },
        actorOf(call),
      );
      return { message: 'Your account was linked. You can sign in with the provider now.', data: { id } };
    }),
    route(deleteIdentity, (call) => {
      singleSignOn.unlink(call.id, call.caller.user.id, actorOf(call));
      return { message: 'The identity was unlinked. It no longer signs you in.' };
    }),
  ];
}

function presentIdentity({ id, issuer, label, created_at, last_used_at }: IdentityRow, timezone: string) {
  return {
    id,
    issuer,
    label,
    created: presentTimestamp(created_at, timezone),
    lastused: presentOptional(last_used_at, timezone),
  };
}
