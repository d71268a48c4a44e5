import { getMail, testMail, updateMail } from '../../contract/mail.ts';
import { actorOf } from '../audit/actor.ts';
import { checkFull } from '../http/scopes.ts';
import { type Route, route } from '../http/serve.ts';
import { presentTimestamp } from '../http/timestamps.ts';
import type { MailAdministration } from './service.ts';

const noPublicUrl = {
  code: 'no_public_url' as const,
  message:
    'Set the public URL of this instance: until then, invitations and password resets are not emailed.',
};

/** The email settings of the instance, for administrators (decision 0072). */
export function mailRoutes({ mail }: { mail: MailAdministration }): Route[] {
  function present(timezone: string) {
    const { failure, ...state } = mail.state();
    if (!failure) return { ...state, failure: null };
    const { at, ...why } = failure;
    return { ...state, failure: { ...why, date: presentTimestamp(at, timezone) } };
  }

  return [
    route(getMail, ({ caller }) => ({ data: present(caller.user.timezone) })),
    route(updateMail, (call) => {
      checkFull(call.caller);
      mail.update(call.body, actorOf(call));
      return { message: 'The email settings were saved.', data: present(call.caller.user.timezone) };
    }),
    route(testMail, async ({ caller }) => {
      const { user } = caller.person;
      await mail.test(user);
      const warnings = mail.hasPublicUrl() ? [] : [noPublicUrl];
      return { message: `The mail server accepted a test message to ${user.email}.`, warnings };
    }),
  ];
}
