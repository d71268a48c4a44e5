import type { Logger } from 'pino';
import type { Passwords } from '../../identity/keys/passwords.ts';
import { domainQueries } from '../../identity/plans/usable-domains.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { Route } from '../../platform/http/serve.ts';
import type { Backlog } from '../../platform/jobs/backlog.ts';
import type { DeletionClock } from '../../platform/jobs/deletion-clock.ts';
import type { Job } from '../../platform/jobs/scheduler.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import { type AliasQueries, aliasQueries } from '../../visits/redirects/alias-queries.ts';
import type { Redirects } from '../../visits/redirects/redirects.ts';
import { glanceDimensions, presentLinkFigures } from '../../visits/stats/presenter.ts';
import type { StatsService } from '../../visits/stats/service.ts';
import { type ChannelQueries, channelQueries } from '../channels/queries.ts';
import { framingJob } from '../framing/job.ts';
import { framingQueries } from '../framing/queries.ts';
import { framingRoutes } from '../framing/routes.ts';
import { framingService } from '../framing/service.ts';
import { caseQueries } from '../simulator/queries.ts';
import { simulatorRoutes } from '../simulator/routes.ts';
import { simulatorService } from '../simulator/service.ts';
import { randomAlias } from './aliases.ts';
import { bulkService } from './bulk.ts';
import { bulkQueries } from './bulk-queries.ts';
import { changeQueries } from './change-queries.ts';
import { linkExports } from './export.ts';
import { linkHistory } from './history.ts';
import { historyJob } from './history-job.ts';
import { type ImportService, importService } from './import.ts';
import { importedRows } from './imported-rows.ts';
import { type LinkQueries, linkQueries } from './queries.ts';
import { type LinkReferences, linkReferences } from './references.ts';
import { linkRoutes } from './routes.ts';
import { type LinkService, linkService } from './service.ts';
import { trashJob } from './trash-job.ts';
import { linkUndo } from './undo.ts';

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
  changes: Pick<Changes, 'publish'>;
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
  const { database, passwords, fetcher, stats, baseUrl, now, transactions, changes } = options;
  const channels = channelQueries(database);
  const aliases = aliasQueries(database);
  const queries = linkQueries(database);
  const changeRows = changeQueries(database);
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
    changes: changeRows,
    now,
  });
  const undo = linkUndo({
    queries,
    aliases,
    changes: changeRows,
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
    changes,
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
    changes,
  });
  const framings = framingQueries(database);
  const framing = framingService({ queries: framings, fetcher, baseUrl, now, log: options.log });
  const imports = importService({
    ...shared,
    links: service,
    imported: importedRows(database),
    findAccount: options.findAccount,
    baseUrl,
  });

  return {
    aliases,
    channels,
    references,
    find: queries.find,
    service,
    imports,
    jobs: [
      trashJob({ clock: options.clock, queries, slices: options.slices, onPurge: options.onPurge, now }),
      historyJob({ queries: changeRows, slices: options.slices, now }),
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
        changes: changeRows,
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
