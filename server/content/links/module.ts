import { keptDeleted } from '../../contract/trash.ts';
import type { Identity } from '../../identity/module.ts';
import { domainQueries } from '../../identity/plans/usable-domains.ts';
import type { Core } from '../../platform/core.ts';
import { creators } from '../../platform/database/authorship.ts';
import { idempotencyQueries } from '../../platform/idempotency/queries.ts';
import { idempotency } from '../../platform/idempotency/service.ts';
import type { Module } from '../../platform/module.ts';
import { earlyTrim } from '../../platform/trash/trim-job.ts';
import type { RetentionModule } from '../../visits/clicks/module.ts';
import { omittedNames } from '../../visits/clicks/omissions.ts';
import { type AliasQueries, aliasQueries } from '../../visits/redirects/alias-queries.ts';
import type { Redirects } from '../../visits/redirects/redirect-path.ts';
import type { ClickExports } from '../../visits/stats/click-export.ts';
import { glanceDimensions, presentLinkMetrics } from '../../visits/stats/presenter.ts';
import { statsRoutes } from '../../visits/stats/routes.ts';
import type { StatsService } from '../../visits/stats/service.ts';
import { campaignQueries } from '../campaigns/queries.ts';
import { type ChannelQueries, channelQueries } from '../channels/queries.ts';
import { framingJob } from '../framing/job.ts';
import { dueFramings, framingQueries } from '../framing/queries.ts';
import { framingRoutes } from '../framing/routes.ts';
import { framingService } from '../framing/service.ts';
import type { MovingService } from '../moving/service.ts';
import { caseLists, caseQueries } from '../simulator/queries.ts';
import { simulatorRoutes } from '../simulator/routes.ts';
import { simulatorService } from '../simulator/service.ts';
import { utmLists, utmQueries } from '../utms/queries.ts';
import { utmRoutes } from '../utms/routes.ts';
import { utmService, utmWriter } from '../utms/service.ts';
import { aliasRoutes } from './alias-routes.ts';
import { aliasSettingsStore } from './alias-settings.ts';
import { freeAlias, madeAlias } from './aliases.ts';
import { bulkService } from './bulk.ts';
import { bulkEach } from './bulk-each.ts';
import { bulkJobQueries } from './bulk-job-queries.ts';
import { bulkJobs } from './bulk-jobs.ts';
import { bulkQueries } from './bulk-queries.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { changeLists, changeQueries } from './change-queries.ts';
import { existingLinks } from './existing.ts';
import { linkExports } from './export.ts';
import { linkHistory } from './history.ts';
import { historyJob } from './history-job.ts';
import { type ImportService, importService } from './import.ts';
import { importedRows } from './imported-rows.ts';
import { linkLists } from './list-queries.ts';
import { plannedDaysJob } from './planned-days.ts';
import { type LinkQueries, linkQueries } from './queries.ts';
import { type LinkReferences, linkReferences } from './references.ts';
import { linkRoutes } from './routes.ts';
import { searchUpkeep } from './search-upkeep.ts';
import { type LinkService, linkService } from './service.ts';
import { fullTrashJob, trashJob } from './trash-job.ts';
import { linkUndo } from './undo.ts';

interface Options {
  identity: Pick<Identity, 'passwords' | 'users'>;
  redirects: Pick<Redirects, 'simulate' | 'omissions'>;
  retention: Pick<RetentionModule, 'removeDeletedLinks'>;
  stats: StatsService;
  clickExports: ClickExports;
  /** Takes back a move of records between accounts (`content/moving/`). */
  moving: Pick<MovingService, 'undo'>;
}

export interface LinkModule extends Module {
  aliases: AliasQueries;
  channels: ChannelQueries;
  references: LinkReferences;
  find: LinkQueries['find'];
  service: LinkService;
  imports: ImportService;
}

/**
 * Wires links and what belongs to each: history, channels, imports, saved cases, statistics, whether a page may be
 * framed.
 */
export function linkModule(
  core: Core,
  { identity, redirects, retention, stats, clickExports, moving }: Options,
): LinkModule {
  const { backlog, baseUrl, changes, clock, fetcher, reader, slices, transactions } = core;
  const { now } = clock;
  const onPurge = retention.removeDeletedLinks;
  const findAccount = identity.users.find;
  const database = core.databases.main;
  const channels = channelQueries(database);
  const aliases = aliasQueries(database);
  const queries = linkQueries(database);
  const lists = linkLists(reader);
  core.commits.subscribe(searchUpkeep(database, backlog).committed);
  const changeRows = changeQueries(database);
  const domains = domainQueries(database, now);
  const aliasSettings = aliasSettingsStore(database);
  const utms = utmQueries(database);
  const makeAlias = madeAlias(core.random.integer);
  const references = linkReferences({
    database,
    channels,
    aliasSettings,
    writeUtm: utmWriter(utms),
    domains,
    isOwnAddress: core.hosts.isOwnAddress,
    baseUrl,
  });
  const { audit } = core;
  const { nameOf } = creators(database);
  const each = keptDeleted.links;
  const trim = fullTrashJob({ audit, changes, queries, reader, slices, transactions, onPurge, nameOf, each });
  const history = linkHistory({
    links: queries,
    aliases,
    changes: changeRows,
    onTrashed: earlyTrim(core.jobs.add(trim), each),
    now,
  });
  const undo = linkUndo({
    queries,
    aliases,
    changes: changeRows,
    channels,
    history,
    references,
    slices,
    now,
  });
  const shared = {
    queries,
    lists,
    aliases,
    channels,
    references,
    history,
    now,
    transactions,
    slices,
    onPurge,
    changes,
  };
  const service = linkService({
    ...shared,
    passwords: identity.passwords,
    undo,
    aliasSettings,
    madeAlias: makeAlias,
  });
  const simulator = simulatorService({
    queries: caseQueries(database),
    lists: caseLists(reader),
    links: service,
    simulate: redirects.simulate,
    baseUrl,
    now,
    transactions: core.transactions,
    changes,
  });
  const replies = idempotency({ queries: idempotencyQueries(database), transactions, slices, now });
  const framings = framingQueries(database);
  const framing = framingService({ queries: framings, fetcher, baseUrl, now, log: core.log });
  const imports = importService({
    ...shared,
    links: service,
    imported: importedRows(database),
    campaigns: campaignQueries(database),
    freeSlug: freeAlias(core.random.integer),
    findAccount,
    baseUrl,
  });

  const followed = bulkJobs({ queries: bulkJobQueries(database), transactions, now, log: core.log });
  const bulk = bulkService({
    ...shared,
    each: bulkEach(shared),
    jobs: followed,
    parts: bulkQueries(database),
    reader,
    backlog,
    findAccount,
    writes: core.writes,
    log: core.log,
  });

  return {
    aliases,
    channels,
    references,
    find: queries.find,
    service,
    imports,
    jobs: [
      trashJob({ clock, queries, slices, onPurge, now }),
      plannedDaysJob({ queries, history, slices, changes, clock, now }),
      replies.job,
      historyJob({ queries: changeRows, slices, now }),
      framingJob({ listDue: dueFramings(reader), framing, findLink: queries.find, now }),
    ],
    routes: [
      ...framingRoutes({
        framing,
        references,
        hostOf: (id, userId) => domains.findUsable(id, userId)?.host ?? null,
      }),
      ...bulkRoutes({ bulk, jobs: followed }),
      ...linkRoutes({
        links: service,
        framing,
        bulk,
        imports,
        exports: linkExports({ lists, baseUrl, now }),
        changes: changeRows,
        changeLists: changeLists(reader),
        undoMove: moving.undo,
        references,
        existing: existingLinks({ queries, references }),
        replies,
        metrics: async (linkId) => {
          const { total, words } = await stats.metricsOf(linkId, glanceDimensions);
          return presentLinkMetrics(total, words);
        },
        countRecent: stats.countRecent,
        baseUrl,
        now,
      }),
      ...utmRoutes({ utms: utmService({ queries: utms, lists: utmLists(reader), transactions, now }) }),
      ...aliasRoutes({
        settings: aliasSettings,
        aliases,
        references,
        makeAlias,
        atomically: transactions.atomically,
        changes,
      }),
      ...simulatorRoutes({ simulator, references, baseUrl }),
      ...statsRoutes({
        stats,
        exports: clickExports,
        notKept: (userId) => omittedNames(redirects.omissions(userId)),
        checkLink: (id, caller) => void service.get(id, caller),
        domainOf: references.domainOf,
        baseUrl,
      }),
    ],
  };
}
