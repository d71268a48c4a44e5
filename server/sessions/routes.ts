import { presentAccount } from '../account/presenter.ts';
import { deleteSession, listSessions, setUp, signIn, signOut } from '../contract/sessions.ts';
import { notFound } from '../errors.ts';
import { isLocal } from '../http/addresses.ts';
import { offsetOf, pageReply } from '../http/pagination.ts';
import { type Route, route } from '../http/serve.ts';
import { presentMoment, presentOptional } from '../http/timestamps.ts';
import type { KeyRow } from '../keys/queries.ts';
import type { KeyService } from '../keys/service.ts';
import type { SessionService } from './service.ts';

interface Options {
  sessions: SessionService;
  keys: KeyService;
  baseUrl: () => string;
  /** Called with the id of a key that just stopped being valid, so that its live streams end. */
  onRevoked: (keyId: number) => void;
}

/** First run, sign-in, and the list of places where an account is signed in. */
export function sessionRoutes({ sessions, keys, baseUrl, onRevoked }: Options): Route[] {
  return [
    route(setUp, async ({ body, request }) => {
      const { setupcode, ...registration } = body;
      const made = await sessions.setUp(registration, { local: isLocal(request), code: setupcode });
      return {
        message: 'Your instance is ready. Keep the API key: it is shown this once.',
        data: { api_key: made.apiKey, account: presentAccount(made.account, baseUrl()) },
      };
    }),
    route(signIn, async ({ body, request }) => {
      const device = body.device || deviceOf(request.headers['user-agent']);
      const { token, expiresAt, account } = await sessions.signIn(body.login, body.password, device);
      return {
        message: 'You are signed in.',
        data: {
          token,
          expires: presentMoment(expiresAt, account.user.timezone),
          account: presentAccount(account, baseUrl()),
        },
      };
    }),
    route(signOut, ({ caller }) => {
      keys.revokeSession(caller.key.id, caller.user.id);
      onRevoked(caller.key.id);
      return { message: 'You are signed out.' };
    }),
    route(listSessions, ({ caller, query }) => {
      const page = keys.sessions(caller.user.id, query.limit, offsetOf(query));
      return pageReply('sessions', page, query, (key) =>
        presentSession(key, caller.key.id, caller.user.timezone),
      );
    }),
    route(deleteSession, ({ caller, id }) => {
      if (!keys.revokeSession(id, caller.user.id)) throw notFound('Session');
      onRevoked(id);
      return { message: 'The session was signed out.' };
    }),
  ];
}

function presentSession(key: KeyRow, currentId: number, timezone: string) {
  return {
    id: key.id,
    device: key.name,
    current: key.id === currentId,
    created: presentMoment(key.created_at, timezone),
    expires: presentMoment(key.expires_at ?? key.created_at, timezone),
    lastused: presentOptional(key.last_used_at, timezone),
    lastaddress: key.last_address,
  };
}

function deviceOf(userAgent: string | undefined): string {
  return (userAgent ?? 'Unknown device').replace(/\p{Cc}/gu, ' ').slice(0, 120);
}
