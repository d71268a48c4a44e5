import {
  getAliasSettings,
  getDomainAliasSettings,
  suggestAliases,
  updateAliasSettings,
  updateDomainAliasSettings,
} from '../../contract/aliases.ts';
import type { Changes } from '../../platform/events/changes.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import type { AliasSettingsStore } from './alias-settings.ts';
import type { MadeAlias } from './aliases.ts';
import type { LinkReferences } from './references.ts';
import { defaultsOf } from './service.ts';
import { suggestions } from './suggest.ts';

interface Options {
  settings: AliasSettingsStore;
  aliases: Pick<AliasQueries, 'holderOf'>;
  references: Pick<LinkReferences, 'of' | 'readAddress'>;
  makeAlias: MadeAlias;
  /** Runs work in one transaction. */
  atomically: <Result>(work: () => Result) => Result;
  changes: Pick<Changes, 'publish'>;
}

/** Endpoints for alias settings and suggestions (decision 0079). */
export function aliasRoutes({
  settings,
  aliases,
  references,
  makeAlias,
  atomically,
  changes,
}: Options): Route[] {
  return [
    route(getAliasSettings, ({ caller }) => ({ data: settings.ofAccount(caller.user.id) })),
    route(updateAliasSettings, ({ caller, body }) => {
      const data = atomically(() => settings.updateAccount(caller.user.id, body));
      return { message: 'The settings of new aliases were updated.', data };
    }),
    route(getDomainAliasSettings, ({ caller, id }) => ({ data: settings.ofDomain(id, caller.user) })),
    route(updateDomainAliasSettings, ({ caller, id, body }) => {
      const data = atomically(() => settings.updateDomain(id, caller.user, body));
      changes.publish({ accountId: caller.user.id, resource: 'domains', ids: [id] });
      return { message: "The settings of the domain's aliases were updated.", data };
    }),
    route(suggestAliases, ({ caller, body }) => {
      const { user } = caller;
      const { domain } = body;
      const known = references.of(caller);
      const domainId =
        domain === undefined ? defaultsOf(caller).domain_id : domain ? known.domain(domain) : null;
      const source = { url: references.readAddress(body.url, 'url'), title: body.title };
      const isTaken = (alias: string) => aliases.holderOf(domainId, alias) !== undefined;
      const draw = () => makeAlias(settings.inForce(user.id, domainId), isTaken);
      return { data: suggestions(source, isTaken, draw) };
    }),
  ];
}
