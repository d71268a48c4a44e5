import type { Database } from 'better-sqlite3';
import type { Logger } from 'pino';
import type { StorageQuota } from '../../identity/plans/storage-quota.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import type { Route } from '../../platform/http/serve.ts';
import type { Removals } from '../../platform/trash/service.ts';
import type { QrAnswers } from '../../visits/redirects/qr-visits.ts';
import { glanceDimensions, presentLinkFigures } from '../../visits/stats/presenter.ts';
import type { StatsService } from '../../visits/stats/service.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import type { FindItem } from '../channels/service.ts';
import { randomAlias } from '../links/aliases.ts';
import type { LinkQueries } from '../links/queries.ts';
import type { LinkReferences } from '../links/references.ts';
import type { LinkService } from '../links/service.ts';
import { qrAnswers } from './answers.ts';
import { decoder } from './decoder.ts';
import { qrImages } from './images.ts';
import { logos } from './logos.ts';
import { drawingQueue, painter } from './painter.ts';
import { presentLogo, presentQr } from './presenter.ts';
import { qrQueries } from './queries.ts';
import { qrRoutes } from './routes.ts';
import { qrService } from './service.ts';

interface Options {
  database: Database;
  channels: ChannelQueries;
  removals: Removals;
  links: Pick<LinkService, 'findByShort'>;
  findLink: LinkQueries['find'];
  references: LinkReferences;
  fetcher: Fetcher;
  quota: StorageQuota;
  stats: Pick<StatsService, 'figuresOf'>;
  transactions: Transactions;
  baseUrl: () => string;
  now: () => number;
  randomInteger: (below: number) => number;
  changes: Pick<Changes, 'publish'>;
  log: Pick<Logger, 'error'>;
}

export interface QrModules {
  routes: Route[];
  /** Who answers the public addresses of codes. */
  answers: QrAnswers;
  /** A code as channels show it. */
  findItem: FindItem;
  close(): Promise<void>;
}

/** Wires QR codes. */
export function qrModules(options: Options): QrModules {
  const { database, baseUrl, changes } = options;
  const queries = qrQueries(database);
  const reads = decoder();
  const paints = painter();
  const queue = drawingQueue();
  const qr = qrService({
    queries,
    channels: options.channels,
    removals: options.removals,
    links: options.links,
    findLink: options.findLink,
    references: options.references,
    logos: logos({ fetcher: options.fetcher }),
    quota: options.quota,
    decoder: reads,
    painter: paints,
    queue,
    presentLogo,
    newAlias: (length) => randomAlias(options.randomInteger, length),
    baseUrl,
    now: options.now,
    transactions: options.transactions,
    changes,
  });
  const images = qrImages({ baseUrl, painter: paints, queue });
  return {
    routes: qrRoutes({
      qr,
      async figures(linkId) {
        if (linkId === undefined) return presentLinkFigures({ clicks: 0, uniqueClicks: 0, bots: 0 }, []);
        const { total, words } = await options.stats.figuresOf(linkId, glanceDimensions);
        return presentLinkFigures(total, words);
      },
      images,
      baseUrl,
    }),
    answers: qrAnswers({
      queries,
      images,
      onScans: (userId, ids) => changes.publish({ accountId: userId, resource: 'qr', ids: ids }),
      log: options.log,
    }),
    findItem(id, account) {
      const row = queries.find(id, account.user.id);
      if (!row) return undefined;
      const { name, target, link } = presentQr(row, { timezone: account.user.timezone, baseUrl: baseUrl() });
      return { title: name, preview: target, link, createdAt: row.created_at };
    },
    async close() {
      await Promise.all([reads.close(), paints.close()]);
    },
  };
}
