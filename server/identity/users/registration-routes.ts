import {
  addInvitation,
  deleteInvitation,
  type Invitation,
  listInvitations,
  register,
} from '../../contract/users.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import type { LinkOrigin } from '../../platform/http/link-origin.ts';
import { languagesOf } from '../../platform/http/reader-languages.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { parseTimestamp, presentTimestamp } from '../../platform/http/timestamps.ts';
import { presentAccount } from '../account/presenter.ts';
import type { InvitationRow } from './invitation-queries.ts';
import type { RegistrationService } from './registration-service.ts';

interface Options {
  registrations: RegistrationService;
  linkOrigin: LinkOrigin;
  baseUrl: () => string;
  /** The default name of a session whose client does not name its device. */
  deviceOf: (userAgent: string | undefined) => string;
}

/** Invitations and registration (decision 0008). */
export function registrationRoutes({ registrations, linkOrigin, baseUrl, deviceOf }: Options): Route[] {
  return [
    route(addInvitation, (call) => {
      const { caller, body } = call;
      const { timezone } = caller.user;
      const expiresAt =
        body.expires === undefined ? undefined : parseTimestamp(body.expires, timezone, 'end', 'expires');
      // In the fragment, so that it gets into no log and no Referer.
      const urlAt = (origin: string, code: string) => `${origin}/admin/register#${code}`;
      const made = registrations.invite(
        { email: body.email, planId: body.planid, expiresAt },
        (code, end) => ({
          url: urlAt(baseUrl(), code),
          until: { at: end, timezone },
          languages: languagesOf(call),
        }),
        { ...actorOf(call), userId: caller.user.id },
      );
      return {
        message: made.isMailed
          ? 'The invitation was emailed. It works once, and its link is not shown again.'
          : 'Send this link to the person you want to invite. It works once and is not shown again.',
        data: {
          url: urlAt(linkOrigin(call.request), made.code),
          code: made.code,
          mailed: made.isMailed,
          expires: presentTimestamp(made.expiresAt, timezone),
        },
      };
    }),
    route(listInvitations, ({ caller }) => ({
      data: registrations.open().map((row) => presentInvitation(row, caller.user.timezone)),
    })),
    route(deleteInvitation, (call) => {
      registrations.takeBack(call.id, actorOf(call));
      return { message: 'The invitation was revoked.' };
    }),
    route(register, async ({ body, request, address }) => {
      const { device = deviceOf(request.headers['user-agent']), ...registration } = body;
      const { signedIn, apiKey } = await registrations.register(registration, device, address);
      const { token, expiresAt, account } = signedIn;
      return {
        message: 'Welcome. Save the API key: it is not shown again.',
        data: {
          token,
          expires: presentTimestamp(expiresAt, account.user.timezone),
          api_key: apiKey,
          account: presentAccount(account, baseUrl()),
        },
      };
    }),
  ];
}

function presentInvitation(row: InvitationRow, timezone: string): Invitation {
  return {
    id: row.id,
    email: row.email,
    planid: row.plan_id,
    created: presentTimestamp(row.created_at, timezone),
    expires: presentTimestamp(row.expires_at, timezone),
  };
}
