import type { Logger } from 'pino';
import { type ChannelQueries, channelQueries } from './channels/queries.ts';
import type { Connection } from './database/connect.ts';
import type { Reader } from './database/reader.ts';
import type { Transactions } from './database/transactions.ts';
import { domainQueries } from './domains/queries.ts';
import type { Fetcher } from './fetcher/fetcher.ts';
import { framingJob } from './framing/job.ts';
import { framingQueries } from './framing/queries.ts';
import { framingRoutes } from './framing/routes.ts';
import { framingService } from './framing/service.ts';
import type { Route } from './http/serve.ts';
import type { Backlog } from './jobs/backlog.ts';
import type { DeletionClock } from './jobs/deletion-clock.ts';
import type { Job } from './jobs/scheduler.ts';
import type { Slices } from './jobs/slices.ts';
import type { Passwords } from './keys/passwords.ts';
import { type AliasQueries, aliasQueries } from './links/alias-queries.ts';
import { randomAlias } from './links/aliases.ts';
import { bulkService } from './links/bulk.ts';
import { bulkQueries } from './links/bulk-queries.ts';
import { changeQueries } from './links/change-queries.ts';
import { linkExports } from './links/export.ts';
import { linkHistory } from './links/history.ts';
import { historyJob } from './links/history-job.ts';
import { type ImportService, importService } from './links/import.ts';
import { type LinkQueries, linkQueries } from './links/queries.ts';
import { type LinkReferences, linkReferences } from './links/references.ts';
import { linkRoutes } from './links/routes.ts';
import { type LinkService, linkService } from './links/service.ts';
import { trashJob } from './links/trash-job.ts';
import { linkUndo } from './links/undo.ts';
import type { Redirects } from './redirects/redirects.ts';
import { caseQueries } from './simulator/queries.ts';
import { simulatorRoutes } from './simulator/routes.ts';
import { simulatorService } from './simulator/service.ts';
import { glanceDimensions, presentLinkFigures } from './stats/presenter.ts';
import type { StatsService } from './stats/service.ts';
import type { Account } from './users/service.ts';

interface Options {
  database: Connection;
  passwords: Passwords;
  fetcher: Fetcher;
  stats: StatsService;
  /** What a visit would lead to, as the redirects see it. */
  simulate: Redirects['simulate'];
  /** Whether an address is one of this instance, to which a link must not lead. */
  isOwnAddress: (url: URL) => boolean;
  baseUrl: () => string;
  now: () => number;
  randomInteger: (below: number) => number;
  transactions: Transactions;
  slices: Slices;
  backlog: Backlog;
  reader: Reader;
  /** An account by its id; undefined when it is gone or switched off. */
  findAccount: (id: number) => Account | undefined;
  /** Told that links are gone for good. */
  onPurge: () => void;
  onChange: (userId: number, resource: string, ids: number[]) => void;
  clock: Pick<DeletionClock, 'isTrusted'>;
  log: Pick<Logger, 'warn'>;
}

export interface LinkModules {
  aliases: AliasQueries;
  channels: ChannelQueries;
  references: LinkReferences;
  find: LinkQueries['find'];
  service: LinkService;
  imports: ImportService;
  jobs: Job[];
  routes: Route[];
}

/** Wires links and what belongs to each of them: history, channels, imports, saved cases, whether a page may be framed. */
export function linkModules(options: Options): LinkModules {
  const { database, passwords, fetcher, stats, baseUrl, now, transactions, onChange } = options;
  const channels = channelQueries(database);
  const aliases = aliasQueries(database);
  const queries = linkQueries(database);
  const changes = changeQueries(database);
  const domains = domainQueries(database, now);
  const references = linkReferences({
    database,
    channels,
    domains,
    isOwnAddress: options.isOwnAddress,
    baseUrl,
  });
  const history = linkHistory({
    links: queries,
    aliases,
    changes,
    now,
  });
  const undo = linkUndo({
    queries,
    aliases,
    changes,
    channels,
    history,
    references,
    slices: options.slices,
    now,
  });
  const shared = {
    queries,
    aliases,
    channels,
    references,
    history,
    now,
    transactions,
    slices: options.slices,
    onPurge: options.onPurge,
    onChange: (userId: number, linkIds: number[]) => onChange(userId, 'links', linkIds),
  };
  const service = linkService({
    ...shared,
    passwords,
    undo,
    newAlias: (length) => randomAlias(options.randomInteger, length),
  });
  const simulator = simulatorService({
    queries: caseQueries(database),
    links: service,
    simulate: options.simulate,
    baseUrl,
    now,
    onChange,
  });
  const framings = framingQueries(database);
  const framing = framingService({ queries: framings, fetcher, baseUrl, now, log: options.log });
  const imports = importService({ ...shared, links: service, baseUrl });

  return {
    aliases,
    channels,
    references,
    find: queries.find,
    service,
    imports,
    jobs: [
      trashJob({ clock: options.clock, queries, slices: options.slices, onPurge: options.onPurge, now }),
      historyJob({ queries: changes, slices: options.slices, now }),
      framingJob({ queries: framings, framing, findLink: queries.find, now }),
    ],
    routes: [
      ...framingRoutes({
        framing,
        references,
        hostOf: (id, userId) => domains.findUsable(id, userId)?.host ?? null,
      }),
      ...linkRoutes({
        links: service,
        framing,
        bulk: bulkService({
          ...shared,
          parts: bulkQueries(database),
          reader: options.reader,
          backlog: options.backlog,
          findAccount: options.findAccount,
        }),
        imports,
        exports: linkExports({ queries, baseUrl, now }),
        changes,
        references,
        figures: async (linkId) => {
          const { total, words } = await stats.figuresOf(linkId, glanceDimensions);
          return presentLinkFigures(total, words);
        },
        countRecent: stats.countRecent,
        baseUrl,
        now,
      }),
      ...simulatorRoutes({ simulator, references, baseUrl }),
    ],
  };
}
