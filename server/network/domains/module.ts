import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { randomAlias } from '../../content/links/aliases.ts';
import { searchText } from '../../content/links/queries.ts';
import type { LinkReferences } from '../../content/links/references.ts';
import type { Settings } from '../../contract/settings.ts';
import { domainQueries } from '../../identity/plans/usable-domains.ts';
import type { Databases } from '../../platform/database/open.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import { isSecure } from '../../platform/http/addresses.ts';
import type { HostList } from '../../platform/http/hosts.ts';
import type { Route } from '../../platform/http/serve.ts';
import type { Backlog } from '../../platform/jobs/backlog.ts';
import type { Scheduler } from '../../platform/jobs/scheduler.ts';
import { type Certificates, certificates } from '../certificates/certificates.ts';
import { backOff } from './back-off.ts';
import { dnsCheck } from './dns-check.ts';
import { domainOverviewQueries } from './overview-queries.ts';
import { domainPictures } from './pictures.ts';
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
  references: Pick<LinkReferences, 'readDestination'>;
  /** Whether a bio page is an account's own. */
  ownsBio: (id: number, userId: number) => boolean;
  isOwnHost: (host: string) => boolean;
  ownNames: HostList['names'];
  /** The instance's own address; undefined while it is the one that is listened on. */
  baseUrl: () => string | undefined;
  scheduler: Scheduler;
  backlog: Backlog;
  /** Milliseconds for a certificate's whole order. */
  orderMs?: number | undefined;
  /** The port that HTTPS is listened on; undefined while it is not. */
  httpsPort: () => number | undefined;
  transactions: Transactions;
  now: () => number;
  randomInteger: (below: number) => number;
  randomBytes: (size: number) => Buffer;
  onChange: (userId: number, resource: string, ids: number[]) => void;
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
    orders: { since: syncQueries.ordersSince, add: syncQueries.addOrder },
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
  const sync = domainSyncJob({
    queries: syncQueries,
    addEntry: records.addEntry,
    checkDns,
    certificates: kept,
    now,
    randomInteger: options.randomInteger,
    transactions,
    onChange: options.onChange,
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
  const unbind = unbinding({
    database,
    searchText,
    randomAlias: (length) => randomAlias(options.randomInteger, length),
    onUnbound: (userId) => {
      if (userId !== null) options.onChange(userId, 'links', []);
    },
  });
  const domains = domainService({
    queries: records,
    references: options.references,
    isKnownHost: domainQueries(database, now).isKnownHost,
    isOwnHost: options.isOwnHost,
    checkDns,
    findSetup: domainSetup({ resolver: names, checkDns, publicAddresses }),
    overview: domainOverviewQueries(database),
    noteDns: sync.noteDns,
    ownsBio: options.ownsBio,
    pictures,
    unbinding: unbind,
    wakeUnbinding: options.backlog.add({ name: 'domains', step: unbind.step }),
    dropCertificate: kept.drop,
    now,
    transactions,
    onChange: options.onChange,
  });

  /** The own address goes by HTTPS alone once its administrator has written it so, and the certificate is there. */
  function isOwnSecured(host: string): boolean {
    const base = options.baseUrl();
    return base?.startsWith('https:') === true && new URL(base).hostname === host && kept.own.serves(host);
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
    settingsChanged() {
      // Not before the start of all jobs, and not where a test runs them by hand.
      if (job.state().nextAt !== null) void job.runNow();
    },
    answer: (request, response, host) =>
      kept.answer(request, response) ||
      sendToHttps(request, response, host) ||
      pictures.serve(request, response, host),
  };
}
