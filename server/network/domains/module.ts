import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { randomAlias } from '../../content/links/aliases.ts';
import type { LinkModule } from '../../content/links/module.ts';
import { searchText } from '../../content/links/queries.ts';
import type { Identity } from '../../identity/module.ts';
import { domainQueries } from '../../identity/plans/usable-domains.ts';
import { stranger } from '../../platform/audit/actor.ts';
import type { Core } from '../../platform/core.ts';
import { isSecure } from '../../platform/http/encryption.ts';
import { sendToHttps as sendVisitorToHttps } from '../../platform/http/to-https.ts';
import type { Module } from '../../platform/module.ts';
import type { Redirects } from '../../visits/redirects/redirect-path.ts';
import { type Certificates, certificates } from '../certificates/certificates.ts';
import type { SharedChallenges } from '../certificates/challenges.ts';
import { appLinkFiles } from './app-links.ts';
import { backOff } from './back-off.ts';
import { domainClaims } from './claims.ts';
import { dnsCheck } from './dns-check.ts';
import { domainOverview } from './overview-queries.ts';
import { domainOwnership } from './ownership.ts';
import { domainPictures } from './pictures.ts';
import { domainProofs } from './proof.ts';
import { domainLists, domainRecordQueries } from './record-queries.ts';
import { resolver } from './resolver.ts';
import { domainRoutes } from './routes.ts';
import { domainService } from './service.ts';
import { domainSetup } from './setup.ts';
import { domainSyncJob } from './sync-job.ts';
import { domainSyncQueries } from './sync-queries.ts';
import { unbinding } from './unbind.ts';
import { domainWarningQueries } from './warning-queries.ts';
import { domainWarnings } from './warnings.ts';

interface Options {
  identity: Pick<Identity, 'quota' | 'mail'>;
  links: Pick<LinkModule, 'references'>;
  /** Whether a bio page is an account's own. */
  ownsBio: (id: number, userId: number) => boolean;
  redirects: Pick<Redirects, 'before' | 'mount'>;
  /** Milliseconds for a certificate's whole order. */
  orderMs?: number | undefined;
  /** Milliseconds for each of the two tries to get an answer of a name server. */
  nameMs?: number | undefined;
}

export interface DomainModule extends Module {
  certificates: Certificates;
  /** Lets domains point to other machines that answer for this one, which also answer ownership checks. */
  shareAddresses(addresses: () => readonly string[], proofs: SharedChallenges): void;
  /** Sends a visitor on plain HTTP to HTTPS where that works; false where it does not, or is in use already. */
  sendToHttps(request: IncomingMessage, response: ServerResponse, host: string): boolean;
  /** Whether a name is the instance's own address, on the usual port of HTTPS and with a public certificate. */
  isAlwaysSecure(host: string): boolean;
}

/** Wires branded domains, their certificates and the job that keeps both in step. */
export function domainModule(core: Core, { identity, links, redirects, ...options }: Options): DomainModule {
  const { backlog, changes, databases, fetcher, hosts, log, transactions } = core;
  const { now } = core.clock;
  const randomBytes = core.random.bytes;
  const randomInteger = core.random.integer;
  const settings = core.settings.current;
  const database = databases.main;
  const records = domainRecordQueries(database);
  const syncQueries = domainSyncQueries(database);
  const domainRows = domainQueries(database, now);
  const kept = certificates({
    folder: join(dirname(databases.file), 'certificates'),
    settings: () => settings().ssl,
    orders: { since: syncQueries.ordersSince, of: syncQueries.ordersOf, add: syncQueries.addOrder },
    isShared: () => syncQueries.countAccounts() > 1,
    hosts: syncQueries.listHosts,
    ownNames: hosts.names,
    orderMs: options.orderMs,
    backOff: (failures) => backOff(failures, randomInteger),
    onMissing: (id) => void syncQueries.setRevoked(id),
    now,
    randomBytes,
    log,
  });
  const names = resolver({ servers: () => settings().dnsServers, timeoutMs: options.nameMs });
  let others: { addresses: () => readonly string[]; proofs: SharedChallenges } | undefined;
  const places = {
    publicAddresses: () => settings().publicAddresses,
    edgeAddresses: () => others?.addresses() ?? [],
  };
  const checkDns = dnsCheck({ resolver: names, ...places });
  const proofs = domainProofs({
    database,
    resolver: names,
    fetcher,
    isOwnHost: hosts.isOwn,
    others: () => others?.proofs,
  });
  const unbind = unbinding({
    database,
    searchText,
    randomAlias: (length) => randomAlias(randomInteger, length),
    onUnbound: (userId) => {
      if (userId !== null) changes.publish({ accountId: userId, resource: 'links', ids: [] });
    },
  });
  const wakeUnbinding = backlog.add({ name: 'domains', step: unbind.step });
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
    clock: core.clock,
    release(id) {
      const userId = syncQueries.find(id)?.user_id;
      takeAway(id);
      void wakeUnbinding();
      if (userId) changes.publish({ accountId: userId, resource: 'domains', ids: [id] });
    },
    now,
    randomInteger,
    transactions,
  });
  const sync = domainSyncJob({
    queries: syncQueries,
    addEntry: records.addEntry,
    checkDns,
    ownership,
    certificates: kept,
    warnings: domainWarnings({ mail: identity.mail, queries: domainWarningQueries(database) }),
    now,
    randomInteger,
    transactions,
    changes,
    log,
  });
  const job = core.jobs.add({
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
    fetcher,
    randomBytes,
  });
  const domains = domainService({
    queries: records,
    references: links.references,
    claims: domainClaims({
      findHolder: domainRows.findHolder,
      isOwnHost: hosts.isOwn,
      proofs,
      release,
      // The zone is public information; it does not reveal a person.
      noteLoss: (userId, host) => core.audit.note(stranger(''), 'domain.lost', { host }, userId),
      changes,
    }),
    checkDns,
    ownership,
    proofs,
    findSetup: domainSetup({ proofs, resolver: names, checkDns, ...places }),
    overview: domainOverview(core.reader),
    lists: domainLists(core.reader),
    noteDns: sync.noteDns,
    ownsBio: options.ownsBio,
    pictures,
    quota: identity.quota,
    release,
    now,
    transactions,
    changes,
  });
  const ownHost = new URL(core.baseUrl()).hostname;
  if (domainRows.leadsHere(ownHost)) {
    log.warn(
      `${ownHost} is both this instance's address and a domain: the links of that domain are not served.`,
    );
  }

  /** The own address goes by HTTPS alone once its administrator has written it so, and the certificate is there. */
  function isOwnSecured(host: string): boolean {
    const base = settings().baseUrl;
    return base?.startsWith('https:') === true && new URL(base).hostname === host && kept.own.serves(host);
  }

  /** Browsers apply HSTS to all ports of a name, and for long: not where they might be locked out. */
  function isAlwaysSecure(host: string): boolean {
    return kept.mode() === 'acme' && isOwnSecured(host) && new URL(core.baseUrl()).port === '';
  }

  function sendToHttps(request: IncomingMessage, response: ServerResponse, host: string): boolean {
    const port = core.ports.https();
    if (
      port === undefined ||
      !(kept.serves(host) || isOwnSecured(host)) ||
      isSecure(request, settings().trustedProxies)
    )
      return false;
    sendVisitorToHttps(request, response, host, port);
    return true;
  }

  redirects.before(
    (request, response, host) =>
      kept.answer(request, response) ||
      proofs.answer(request, response, host) ||
      sendToHttps(request, response, host),
  );
  redirects.mount('img', pictures.serve);
  redirects.mount('favicon.ico', pictures.serve);
  redirects.mount('.well-known', appLinkFiles(database));
  core.settings.onChange((names) => {
    if (!['ssl', 'baseUrl', 'sharing'].some((name) => names.includes(name))) return;
    // Not before the start of all jobs, and not where a test runs them by hand.
    if (job.state().nextAt !== null) void job.runNow();
  });

  return {
    routes: domainRoutes({
      domains,
      job,
      metrics: sync.metrics,
      syncMinutes: () => settings().domainSyncMinutes,
      sslMode: kept.mode,
      ownCertificate: kept.own.state,
    }),
    certificates: kept,
    shareAddresses(addresses, shared) {
      others = { addresses, proofs: shared };
    },
    sendToHttps,
    isAlwaysSecure,
  };
}
