import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import type { LinkModule } from '../links/module.ts';
import { unmatchedLists, unmatchedQueries } from './queries.ts';
import { unmatchedRoutes } from './routes.ts';

/** Sets up the pages of missed visits; `visits/redirects/unmatched-visits.ts` records them. */
export function unmatchedModule(core: Core, { links }: { links: Pick<LinkModule, 'references'> }): Module {
  return {
    routes: unmatchedRoutes({
      lists: unmatchedLists(core.reader),
      queries: unmatchedQueries(core.databases.main),
      domainOf: links.references.domainOf,
      slices: core.slices,
      now: core.clock.now,
    }),
  };
}
