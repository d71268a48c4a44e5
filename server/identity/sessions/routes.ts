import { deleteSession, listSessions, setUp, signIn, signOut } from '../../contract/sessions.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { notFound, rejected } from '../../platform/errors.ts';
import { isLocal } from '../../platform/http/addresses.ts';
import { offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentAccount } from '../account/presenter.ts';
import type { KeyService } from '../keys/service.ts';
import { deviceOf } from './device.ts';
import { presentSession, presentSignedIn } from './presenter.ts';
import type { SessionService } from './service.ts';

interface Options {
  sessions: SessionService;
  keys: KeyService;
  baseUrl: () => string;
  /** ISO code of the country of an address; '' where it is not known. */
  countryOf: (address: string) => string;
}

/** First run, sign-in, and the list of places where an account is signed in. */
export function sessionRoutes({ sessions, keys, baseUrl, countryOf }: Options): Route[] {
  return [
    route(setUp, async ({ body, request }) => {
      const { setupcode, ...registration } = body;
      const made = await sessions.setUp(registration, { local: isLocal(request), code: setupcode });
      return {
        message: 'Your instance is ready. Save the API key: it is not shown again.',
        data: { api_key: made.apiKey, account: presentAccount(made.account, baseUrl()) },
      };
    }),
    route(signIn, async ({ body, request, address }) => {
      const device = body.device || deviceOf(request.headers['user-agent']);
      const signedIn = await sessions.signIn({ ...body, device, address });
      return { message: 'Signed in.', data: presentSignedIn(signedIn, baseUrl()) };
    }),
    route(signOut, (call) => {
      const { caller } = call;
      const { id, name: device } = caller.key;
      if (!sessions.end(id, caller.user.id, actorOf(call), { device })) {
        throw rejected('not_a_session', undefined, 'This is an API key, not a session. Revoke it as a key.');
      }
      return { message: 'Signed out.' };
    }),
    route(listSessions, ({ caller, query }) => {
      const page = keys.sessions(caller.user.id, query.limit, offsetOf(query));
      return pageReply('sessions', page, query, (key) =>
        presentSession(key, caller.key.id, caller.user.timezone, countryOf),
      );
    }),
    route(deleteSession, (call) => {
      const { id, caller } = call;
      if (!sessions.end(id, caller.user.id, actorOf(call), { session: id })) throw notFound('Session');
      return { message: 'The session was signed out.' };
    }),
  ];
}
