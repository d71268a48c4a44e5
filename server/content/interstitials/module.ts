import type { Database } from 'better-sqlite3';
import type { StorageQuota } from '../../identity/plans/storage-quota.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import type { Route } from '../../platform/http/serve.ts';
import type { Removals } from '../../platform/trash/service.ts';
import { pixelRequests } from '../../visits/redirects/pages/pixel-parts.ts';
import type { StatsService } from '../../visits/stats/service.ts';
import { campaignQueries } from '../campaigns/queries.ts';
import { campaignRoutes } from '../campaigns/routes.ts';
import { campaignService } from '../campaigns/service.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import { channelRoutes } from '../channels/routes.ts';
import { channelService, type FindItem } from '../channels/service.ts';
import { randomAlias } from '../links/aliases.ts';
import type { LinkReferences } from '../links/references.ts';
import type { LinkService } from '../links/service.ts';
import { overlayQueries } from '../overlays/queries.ts';
import { overlayRoutes } from '../overlays/routes.ts';
import { overlayService } from '../overlays/service.ts';
import { picturePreviews } from '../pictures/previews.ts';
import { pictureQueries } from '../pictures/queries.ts';
import { pictureService } from '../pictures/service.ts';
import { pixelQueries } from '../pixels/queries.ts';
import { pixelRoutes } from '../pixels/routes.ts';
import { pixelService } from '../pixels/service.ts';
import { splashQueries } from '../splash/queries.ts';
import { splashRoutes } from '../splash/routes.ts';
import { splashService } from '../splash/service.ts';
import { interstitialQueries } from './queries.ts';

interface Options {
  database: Database;
  channels: ChannelQueries;
  links: LinkService;
  references: LinkReferences;
  removals: Removals;
  stats: StatsService;
  /** What channels hold beside links. */
  channelItems: Partial<Record<'bio' | 'qr', FindItem>>;
  fetcher: Fetcher;
  quota: StorageQuota;
  transactions: Transactions;
  /** The public address of the instance. */
  baseUrl: () => string;
  now: () => number;
  /** Milliseconds that no change of the wall clock moves. */
  monotonic: () => number;
  randomInteger: (below: number) => number;
  randomBytes: (size: number) => Buffer;
  changes: Pick<Changes, 'publish'>;
}

/** Wires what links are grouped by and dressed with: campaigns, channels, overlays, splash pages, pixels. */
export function interstitialModules(options: Options): { routes: Route[] } {
  const { database, links, references, stats, baseUrl } = options;
  const common = {
    removals: options.removals,
    now: options.now,
    transactions: options.transactions,
    changes: options.changes,
  };
  const campaigns = campaignQueries(database);
  const campaignsService = campaignService({
    queries: campaigns,
    links,
    references,
    newSlug: (length) => randomAlias(options.randomInteger, length),
    ...common,
  });
  const channels = channelService({
    queries: options.channels,
    links,
    items: options.channelItems,
    baseUrl,
    ...common,
  });
  const pictureRows = pictureQueries(database);
  const pages = {
    interstitials: interstitialQueries(database),
    references,
    pictures: pictureService({
      queries: pictureRows,
      fetcher: options.fetcher,
      quota: options.quota,
      transactions: options.transactions,
      randomBytes: options.randomBytes,
    }),
    drawPicture: picturePreviews({
      fetcher: options.fetcher,
      findAll: pictureRows.findAll,
      monotonic: options.monotonic,
    }),
    ...common,
  };

  return {
    routes: [
      ...campaignRoutes({ campaigns: campaignsService, queries: campaigns, stats, baseUrl }),
      ...channelRoutes({ channels }),
      ...overlayRoutes({ overlays: overlayService({ queries: overlayQueries(database), ...pages }) }),
      ...splashRoutes({ splash: splashService({ queries: splashQueries(database), ...pages }) }),
      ...pixelRoutes({
        pixels: pixelService({ queries: pixelQueries(database), ...common }),
        requestsOf: pixelRequests,
      }),
    ],
  };
}
