import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { randomAlias } from '../../content/links/aliases.ts';
import { searchText } from '../../content/links/queries.ts';
import type { LinkReferences } from '../../content/links/references.ts';
import type { Settings } from '../../contract/settings.ts';
import type { StorageQuota } from '../../identity/plans/storage-quota.ts';
import { domainQueries } from '../../identity/plans/usable-domains.ts';
import { stranger } from '../../platform/audit/actor.ts';
import type { AuditLog } from '../../platform/audit/service.ts';
import type { Databases } from '../../platform/database/open.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import { isSecure } from '../../platform/http/addresses.ts';
import type { HostList } from '../../platform/http/hosts.ts';
import type { Route } from '../../platform/http/serve.ts';
import type { Backlog } from '../../platform/jobs/backlog.ts';
import type { DeletionClock } from '../../platform/jobs/deletion-clock.ts';
import type { Scheduler } from '../../platform/jobs/scheduler.ts';
import { type Certificates, certificates } from '../certificates/certificates.ts';
import { backOff } from './back-off.ts';
import { domainClaims } from './claims.ts';
import { dnsCheck } from './dns-check.ts';
import { domainOverviewQueries } from './overview-queries.ts';
import { domainOwnership } from './ownership.ts';
import { domainPictures } from './pictures.ts';
import { domainProofs } from './proof.ts';
import { domainRecordQueries } from './record-queries.ts';
import { resolver } from './resolver.ts';
import { domainRoutes } from './routes.ts';
import { domainService } from './service.ts';
import { domainSetup } from './setup.ts';
import { domainSyncJob } from './sync-job.ts';
import { domainSyncQueries } from './sync-queries.ts';
import { unbinding } from './unbind.ts';

type DomainSettings = Pick<
  Settings,
  'publicAddresses' | 'dnsServers' | 'domainSyncMinutes' | 'ssl' | 'trustedProxies'
>;

interface Options {
  databases: Databases;
  settings: () => DomainSettings;
  fetcher: Fetcher;
  quota: StorageQuota;
  references: Pick<LinkReferences, 'readDestination'>;
  /** Whether a bio page is an account's own. */
  ownsBio: (id: number, userId: number) => boolean;
  isOwnHost: (host: string) => boolean;
  ownNames: HostList['names'];
  /** The instance's own address; undefined while it is the one that is listened on. */
  baseUrl: () => string | undefined;
  scheduler: Scheduler;
  backlog: Backlog;
  clock: Pick<DeletionClock, 'isTrusted'>;
  /** Milliseconds for a certificate's whole order. */
  orderMs?: number | undefined;
  /** The port that HTTPS is listened on; undefined while it is not. */
  httpsPort: () => number | undefined;
  transactions: Transactions;
  now: () => number;
  randomInteger: (below: number) => number;
  randomBytes: (size: number) => Buffer;
  changes: Pick<Changes, 'publish'>;
  audit: Pick<AuditLog, 'note'>;
  log: Logger;
}

export interface DomainModules {
  routes: Route[];
  certificates: Certificates;
  /**
   * Answers what belongs to domains and not to links: challenges of certificate authorities, pictures, and the way from
   * plain HTTP to HTTPS. False for all else.
   */
  answer(request: IncomingMessage, response: ServerResponse, host: string): boolean;
  /** Sends a visitor on plain HTTP to HTTPS where that works; false where it does not, or is in use already. */
  sendToHttps(request: IncomingMessage, response: ServerResponse, host: string): boolean;
  /** Whether a name is the instance's own address, on the usual port of HTTPS and with a public certificate. */
  isAlwaysSecure(host: string): boolean;
  /** To be called when settings have changed that certificates depend on: looks what is to do now. */
  settingsChanged(): void;
}

/** Wires branded domains, their certificates and the job that keeps both in step. */
export function domainModules(options: Options): DomainModules {
  const { databases, settings, now, transactions, scheduler } = options;
  const database = databases.main;
  const records = domainRecordQueries(database);
  const syncQueries = domainSyncQueries(database);
  const kept = certificates({
    folder: join(dirname(databases.file), 'certificates'),
    settings: () => settings().ssl,
    orders: { since: syncQueries.ordersSince, of: syncQueries.ordersOf, add: syncQueries.addOrder },
    isShared: () => syncQueries.countAccounts() > 1,
    hosts: syncQueries.listHosts,
    ownNames: options.ownNames,
    orderMs: options.orderMs,
    backOff: (failures) => backOff(failures, options.randomInteger),
    onMissing: (id) => void syncQueries.setRevoked(id),
    now,
    randomBytes: options.randomBytes,
    log: options.log,
  });
  const names = resolver({ servers: () => settings().dnsServers });
  const publicAddresses = () => settings().publicAddresses;
  const checkDns = dnsCheck({ resolver: names, publicAddresses });
  const proofs = domainProofs({
    database,
    resolver: names,
    fetcher: options.fetcher,
    isOwnHost: options.isOwnHost,
  });
  const unbind = unbinding({
    database,
    searchText,
    randomAlias: (length) => randomAlias(options.randomInteger, length),
    onUnbound: (userId) => {
      if (userId !== null) options.changes.publish({ accountId: userId, resource: 'links', ids: [] });
    },
  });
  const wakeUnbinding = options.backlog.add({ name: 'domains', step: unbind.step });
  function takeAway(id: number): void {
    transactions.atomically(() => unbind.mark(id, now()));
    kept.drop(id);
  }
  async function release(id: number): Promise<void> {
    takeAway(id);
    await wakeUnbinding();
  }
  const ownership = domainOwnership({
    queries: syncQueries,
    proofs,
    addEntry: records.addEntry,
    clock: options.clock,
    release(id) {
      const userId = syncQueries.find(id)?.user_id;
      takeAway(id);
      void wakeUnbinding();
      if (userId) options.changes.publish({ accountId: userId, resource: 'domains', ids: [id] });
    },
    now,
    randomInteger: options.randomInteger,
    transactions,
  });
  const sync = domainSyncJob({
    queries: syncQueries,
    addEntry: records.addEntry,
    checkDns,
    ownership,
    certificates: kept,
    now,
    randomInteger: options.randomInteger,
    transactions,
    changes: options.changes,
    log: options.log,
  });
  const job = scheduler.add({
    name: 'domains',
    intervalMs: () => settings().domainSyncMinutes * 60_000,
    firstMs: 10_000,
    async run(signal) {
      await sync.run(signal);
      if (!signal.aborted) await kept.own.sync();
    },
  });
  const pictures = domainPictures({
    database,
    fetcher: options.fetcher,
    randomBytes: options.randomBytes,
  });
  const domains = domainService({
    queries: records,
    references: options.references,
    claims: domainClaims({
      findHolder: domainQueries(database, now).findHolder,
      isOwnHost: options.isOwnHost,
      proofs,
      release,
      // Not who it is: whose zone it is, anybody can look up.
      noteLoss: (userId, host) => options.audit.note(stranger(''), 'domain.lost', { host }, userId),
      changes: options.changes,
    }),
    checkDns,
    ownership,
    proofs,
    findSetup: domainSetup({ proofs, resolver: names, checkDns, publicAddresses }),
    overview: domainOverviewQueries(database),
    noteDns: sync.noteDns,
    ownsBio: options.ownsBio,
    pictures,
    quota: options.quota,
    release,
    now,
    transactions,
    changes: options.changes,
  });

  /** The own address goes by HTTPS alone once its administrator has written it so, and the certificate is there. */
  function isOwnSecured(host: string): boolean {
    const base = options.baseUrl();
    return base?.startsWith('https:') === true && new URL(base).hostname === host && kept.own.serves(host);
  }

  /** Browsers keep to HTTPS for all ports of a name, and for long: not where they might be shut out (HSTS). */
  function isAlwaysSecure(host: string): boolean {
    return kept.mode() === 'acme' && isOwnSecured(host) && new URL(options.baseUrl() ?? '').port === '';
  }

  function sendToHttps(request: IncomingMessage, response: ServerResponse, host: string): boolean {
    const port = options.httpsPort();
    if (
      port === undefined ||
      !(kept.serves(host) || isOwnSecured(host)) ||
      isSecure(request, settings().trustedProxies)
    )
      return false;
    // A visitor who named no port came to port 80, and whoever led that here leads 443 here too.
    const named = /:\d+$/.test(request.headers.host ?? '') && port !== 443 ? `:${port}` : '';
    const { url = '/' } = request;
    // The host is a stored one, not the header's text (T-22).
    const location = `https://${host}${named}${url.startsWith('/') ? url : '/'}`;
    response.writeHead(307, {
      Location: URL.canParse(location) ? new URL(location).href : `https://${host}${named}/`,
      'Cache-Control': 'private, no-store',
      'Content-Length': 0,
      ...(request.method !== 'GET' && request.method !== 'HEAD' && { Connection: 'close' }),
    });
    response.end();
    return true;
  }

  return {
    routes: domainRoutes({
      domains,
      job,
      figures: sync.figures,
      syncMinutes: () => settings().domainSyncMinutes,
      sslMode: kept.mode,
      ownCertificate: kept.own.state,
    }),
    certificates: kept,
    sendToHttps,
    isAlwaysSecure,
    settingsChanged() {
      // Not before the start of all jobs, and not where a test runs them by hand.
      if (job.state().nextAt !== null) void job.runNow();
    },
    answer: (request, response, host) =>
      kept.answer(request, response) ||
      proofs.answer(request, response, host) ||
      sendToHttps(request, response, host) ||
      pictures.serve(request, response, host),
  };
}
