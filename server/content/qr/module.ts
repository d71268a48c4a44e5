import type { Identity } from '../../identity/module.ts';
import type { Core } from '../../platform/core.ts';
import type { Module } from '../../platform/module.ts';
import type { Trash } from '../../platform/trash/service.ts';
import type { Redirects } from '../../visits/redirects/redirect-path.ts';
import { glanceDimensions, presentLinkMetrics } from '../../visits/stats/presenter.ts';
import type { StatsService } from '../../visits/stats/service.ts';
import type { FindItem } from '../channels/service.ts';
import { freeAlias } from '../links/aliases.ts';
import type { LinkModule } from '../links/module.ts';
import { qrAnswers } from './answers.ts';
import { decoder } from './decoder.ts';
import { qrImages } from './images.ts';
import { logos } from './logos.ts';
import { drawingQueue, painter } from './painter.ts';
import { presentLogo, presentQr } from './presenter.ts';
import { qrLists, qrQueries } from './queries.ts';
import { qrRoutes } from './routes.ts';
import { qrService } from './service.ts';

interface Options {
  identity: Pick<Identity, 'quota'>;
  links: Pick<LinkModule, 'channels' | 'find' | 'references' | 'service'>;
  redirects: Pick<Redirects, 'answerCodes'>;
  trash: Trash;
  stats: StatsService;
}

export interface QrModule extends Module {
  /** A code as channels show it. */
  findItem: FindItem;
}

/** Wires QR codes. */
export function qrModule(core: Core, { identity, links, redirects, trash, stats }: Options): QrModule {
  const { baseUrl, changes, fetcher, log, transactions } = core;
  const queries = qrQueries(core.databases.main);
  const reads = decoder();
  const paints = painter();
  const queue = drawingQueue();
  const qr = qrService({
    queries,
    lists: qrLists(core.reader),
    channels: links.channels,
    trash,
    links: links.service,
    findLink: links.find,
    references: links.references,
    logos: logos({ fetcher }),
    quota: identity.quota,
    decoder: reads,
    painter: paints,
    queue,
    presentLogo,
    freeAlias: freeAlias(core.random.integer),
    baseUrl,
    now: core.clock.now,
    transactions,
    changes,
  });
  const images = qrImages({ baseUrl, painter: paints, queue });
  redirects.answerCodes(
    qrAnswers({
      queries,
      images,
      onScans: (accountId, ids) => changes.publish({ accountId, resource: 'qr', ids }),
      log,
    }),
  );
  return {
    routes: qrRoutes({
      qr,
      async metrics(linkId) {
        if (linkId === undefined) return presentLinkMetrics({ clicks: 0, uniqueClicks: 0, bots: 0 }, []);
        const { total, words } = await stats.metricsOf(linkId, glanceDimensions);
        return presentLinkMetrics(total, words);
      },
      images,
      baseUrl,
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
