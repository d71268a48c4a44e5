import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import type { Trash } from '../../platform/trash/service.ts';
import { pixelRequests } from '../../visits/redirects/pages/pixel-parts.ts';
import { pixelLists, pixelQueries } from './queries.ts';
import { pixelRoutes } from './routes.ts';
import { pixelService } from './service.ts';

/** Wires pixels. */
export function pixelModule(core: Core, { trash }: { trash: Trash }): Module {
  const queries = pixelQueries(core.databases.main);
  const lists = pixelLists(core.reader);
  const pixels = pixelService({
    queries,
    lists,
    trash,
    now: core.clock.now,
    transactions: core.transactions,
    changes: core.changes,
  });
  return { routes: pixelRoutes({ pixels, requestsOf: pixelRequests }) };
}
