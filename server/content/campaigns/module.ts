import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import type { Trash } from '../../platform/trash/service.ts';
import { omittedNames } from '../../visits/clicks/omissions.ts';
import type { Redirects } from '../../visits/redirects/redirect-path.ts';
import type { StatsService } from '../../visits/stats/service.ts';
import { freeAlias } from '../links/aliases.ts';
import type { LinkModule } from '../links/module.ts';
import { campaignLists, campaignQueries } from './queries.ts';
import { campaignRoutes } from './routes.ts';
import { campaignService } from './service.ts';

interface Options {
  links: Pick<LinkModule, 'references' | 'service'>;
  redirects: Pick<Redirects, 'omissions'>;
  trash: Trash;
  stats: StatsService;
}

/** Wires campaigns, all but the visits to them. */
export function campaignModule(core: Core, { links, redirects, trash, stats }: Options): Module {
  const { baseUrl, changes, slices, transactions } = core;
  const lists = campaignLists(core.reader);
  const campaigns = campaignService({
    queries: campaignQueries(core.databases.main),
    lists,
    links: links.service,
    references: links.references,
    freeSlug: freeAlias(core.random.integer),
    trash,
    now: core.clock.now,
    transactions,
    slices,
    changes,
  });
  const notKept = (userId: number) => omittedNames(redirects.omissions(userId));
  return { routes: campaignRoutes({ campaigns, lists, stats, notKept, baseUrl }) };
}
