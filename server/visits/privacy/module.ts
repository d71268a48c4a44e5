import { getPrivacy, updatePrivacy } from '../../contract/privacy.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import type { Core } from '../../platform/core.ts';
import { route } from '../../platform/http/serve.ts';
import type { Module } from '../../platform/module.ts';
import { choiceOf, omissionsOf } from '../clicks/omissions.ts';
import { domainUrl } from '../redirects/short-url.ts';
import { privacyQueries } from './queries.ts';

/** Sets up accounts' privacy choices; those of the instance are settings. */
export function privacyModule({ databases, settings, transactions, baseUrl, audit }: Core): Module {
  const queries = privacyQueries(databases.main);
  const ofInstance = () => choiceOf(omissionsOf(settings.current().privacy));
  return {
    routes: [
      route(getPrivacy, ({ caller }) => ({
        data: {
          instance: ofInstance(),
          account: choiceOf(queries.find(caller.user.id)),
          uncount: [null, ...queries.hosts(caller.user.id)].map(
            (host) => `${domainUrl(host, baseUrl())}/?notrack=1`,
          ),
        },
      })),
      route(updatePrivacy, (call) => {
        const { caller, body } = call;
        const before = choiceOf(queries.find(caller.user.id));
        const next = {
          noReferrer: body.noReferrer ?? before.noReferrer,
          noBrowser: body.noBrowser ?? before.noBrowser,
          noPlace: body.noPlace ?? before.noPlace,
          noSignedIn: body.noSignedIn ?? before.noSignedIn,
          keep: body.keep ?? before.keep,
        };
        transactions.atomically(() => {
          queries.update(caller.user.id, omissionsOf(next));
          audit.note(actorOf(call), 'privacy.updated', { ...next });
        });
        return { message: 'Your choice is saved and applies to new visits.', data: next };
      }),
    ],
  };
}
