import { move, previewMove } from '../../contract/moving.ts';
import type { Identity } from '../../identity/module.ts';
import { domainQueries } from '../../identity/plans/usable-domains.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import type { Core } from '../../platform/core.ts';
import { route } from '../../platform/http/serve.ts';
import type { Module } from '../../platform/module.ts';
import type { RetentionModule } from '../../visits/clicks/module.ts';
import { movingMetrics } from '../../visits/clicks/moved-metrics.ts';
import type { Redirects } from '../../visits/redirects/redirect-path.ts';
import { changeQueries } from '../links/change-queries.ts';
import { movePreviews } from './preview.ts';
import { movingQueries } from './queries.ts';
import { referenceQueries } from './reference-queries.ts';
import { type MovingService, movingService } from './service.ts';

interface Options {
  identity: Pick<Identity, 'quota' | 'membershipOf' | 'userAdmin'>;
  redirects: Pick<Redirects, 'forgetOwners' | 'countRecent'>;
  retention: Pick<RetentionModule, 'moveMetrics'>;
}

export interface MovingModule extends Module {
  service: MovingService;
}

/** Wires what moves records between accounts. */
export function movingModule(core: Core, { identity, redirects, retention }: Options): MovingModule {
  const database = core.databases.main;
  const { now } = core.clock;
  const service = movingService({
    queries: movingQueries(database),
    references: referenceQueries(database),
    changeRows: changeQueries(database),
    domains: domainQueries(database, now),
    quota: identity.quota,
    membershipOf: identity.membershipOf,
    transactions: core.transactions,
    slices: core.slices,
    backlog: core.backlog,
    changes: core.changes,
    audit: core.audit,
    forgetOwners: redirects.forgetOwners,
    countRecent: redirects.countRecent,
    moveMetrics: movingMetrics(database, now),
    wakeMetrics: retention.moveMetrics,
    baseUrl: core.baseUrl,
    now,
  });
  identity.userAdmin.onHandOver(service.handOver);
  const preview = movePreviews(core.reader);
  return {
    service,
    routes: [
      route(move, (call) => service.move(call, call.body, actorOf(call))),
      route(previewMove, async ({ caller, body }) => {
        const { source } = service.accounts(caller, body);
        const creator = source.ownOnly ? caller.person.user.id : null;
        const { from, to, resource, ids } = body;
        return { data: await preview({ from, to, resource, ids, creator }) };
      }),
    ],
  };
}
