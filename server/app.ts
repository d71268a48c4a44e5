import type { IncomingMessage, RequestListener } from 'node:http';
import { dirname, join } from 'node:path';
import type { SecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { avatarPath, avatars } from './account/avatar.ts';
import { accountModules } from './app-accounts.ts';
import { backupModules } from './app-backups.ts';
import { bioModules } from './app-bio.ts';
import { domainModules } from './app-domains.ts';
import { dressingModules } from './app-dressing.ts';
import { type QrModules, qrModules } from './app-qr.ts';
import { webhookModules } from './app-webhooks.ts';
import type { Actor } from './audit/actor.ts';
import type { Certificates } from './certificates/certificates.ts';
import { channelQueries } from './channels/queries.ts';
import { limitedRetention, retentionJob } from './clicks/retention-job.ts';
import { retentionQueries } from './clicks/retention-queries.ts';
import type { Config } from './config.ts';
import type { Settings } from './contract/settings.ts';
import type { Databases } from './database/open.ts';
import { reader } from './database/reader.ts';
import { transactions } from './database/transactions.ts';
import { domainQueries } from './domains/queries.ts';
import { live as liveUpdates } from './events/live.ts';
import { eventRoutes } from './events/routes.ts';
import type { Fetcher } from './fetcher/fetcher.ts';
import { fileDownloads } from './files/downloads.ts';
import { fileQueries } from './files/queries.ts';
import { uploadPace } from './files/receive.ts';
import { fileRoutes } from './files/routes.ts';
import { fileService } from './files/service.ts';
import { fileStorage } from './files/storage.ts';
import { framingJob } from './framing/job.ts';
import { framingQueries } from './framing/queries.ts';
import { framingRoutes } from './framing/routes.ts';
import { framingService } from './framing/service.ts';
import { addressOf, networkOf } from './http/addresses.ts';
import { adminPages } from './http/admin.ts';
import { apiApplication, budgets } from './http/api.ts';
import { authenticator } from './http/authenticate.ts';
import { front } from './http/front.ts';
import { rateHeaders } from './http/headers.ts';
import { hostList, readHost } from './http/hosts.ts';
import type { Listening } from './http/listen.ts';
import { rateLimiter } from './http/rate-limit.ts';
import type { Route } from './http/serve.ts';
import { instanceRoutes } from './instance/routes.ts';
import { scheduler } from './jobs/scheduler.ts';
import type { KeyChoice } from './keys/service.ts';
import { aliasQueries } from './links/alias-queries.ts';
import { randomAlias } from './links/aliases.ts';
import { bulkService } from './links/bulk.ts';
import { changeQueries } from './links/change-queries.ts';
import { linkExports } from './links/export.ts';
import { linkHistory } from './links/history.ts';
import { type ImportService, importService } from './links/import.ts';
import { linkQueries } from './links/queries.ts';
import { linkReferences } from './links/references.ts';
import { linkRoutes } from './links/routes.ts';
import { linkService } from './links/service.ts';
import { trashJob } from './links/trash-job.ts';
import { redirects } from './redirects/redirects.ts';
import { sharingRoutes } from './sharing/routes.ts';
import { type SharingOptions, sharing } from './sharing/sharing.ts';
import { caseQueries } from './simulator/queries.ts';
import { simulatorRoutes } from './simulator/routes.ts';
import { simulatorService } from './simulator/service.ts';
import { clickQueries } from './stats/click-queries.ts';
import { glanceDimensions, presentClick, presentLinkFigures } from './stats/presenter.ts';
import { statsQueries } from './stats/queries.ts';
import { statsRoutes } from './stats/routes.ts';
import { statsService } from './stats/service.ts';
import type { UserAdminService } from './users/admin-service.ts';
import type { Registration } from './users/service.ts';

/** What this server can do beyond the published contract; `GET /api/meta` tells it to clients. */
const features = [
  'links',
  'bulk',
  'import',
  'export',
  'history',
  'undo',
  'simulate',
  'stats',
  'events',
  'sessions',
  'domains',
  '2fa',
  'keys',
  'users',
  'plans',
  'invitations',
  'settings',
  'audit',
  'campaigns',
  'channels',
  'overlays',
  'framing',
  'splash',
  'pixels',
  'files',
  'bio',
  'qr',
  'campaign-order',
  'restore',
  'openapi',
  'backup',
  'webhooks',
  'sharing',
];

export interface AppOptions {
  config: Pick<Config, 'settings' | 'vaultKey' | 'timezone'>;
  databases: Databases;
  /** The port that is listened on, known once it is. */
  port: () => number;
  /** The port of HTTPS; undefined while there is none. */
  httpsPort?: () => number | undefined;
  version: string;
  /** The built renderer. */
  adminFolder: string;
  /** Needed to set up from another machine while no account exists. */
  setupCode: string;
  now: () => number;
  /** Milliseconds that no change of the wall clock moves. */
  monotonic: () => number;
  /** A random integer from 0 to below the argument. */
  randomInteger: (below: number) => number;
  log: Logger;
  randomBytes: (size: number) => Buffer;
  /** Fetches pictures; tests bring one that knows no network. */
  fetcher?: Fetcher;
  /** log2 of the cost of password hashes; tests make it small. */
  passwordCost?: number;
  /** Fails a request whose reply breaks the contract; for tests. */
  checkReplies?: boolean;
  /** Most megabytes of an uploaded file (decisions, section 5: 100). */
  maxUploadMb?: () => number;
  /** Free bytes of a folder's disk; tests make them few. */
  freeBytes?: (folder: string) => Promise<number>;
  /** Closes this app and begins anew on the same data folder, where a restored backup takes its place. */
  restart?: () => void;
  /** The machine's place in its networks; without it nothing can be shared there. */
  network?: Network;
}

/** What sharing on the network needs of the machine. */
export interface Network extends Pick<SharingOptions, 'addresses' | 'bound' | 'discovery' | 'hostName'> {
  listenOn: (address: string, handler: RequestListener) => Promise<Listening>;
}

/** Services that work without a request. */
export interface Services {
  userAdmin: UserAdminService;
  imports: ImportService;
  /** Makes an API key and returns its secret. */
  addKey(userId: number, choice: KeyChoice, actor: Actor): { id: number; secret: string };
  /** Revokes an API key of anybody that is not a primary one; false when there is none with this id. */
  revokeKey(id: number, actor: Actor): boolean;
}

export interface App {
  handle: RequestListener;
  /** Whether no account exists yet. */
  isFresh(): boolean;
  /** Does the first run from the command line; throws when an account exists. */
  createAdministrator(registration: Registration): Promise<{ userId: number; apiKey: string }>;
  /** The settings that are in force. */
  settings(): Settings;
  /** What the commands of a terminal do things with. */
  services: Services;
  /** Ends what would keep connections open: the live streams. */
  drain(): void;
  /** What HTTPS presents for a name; undefined where there is nothing for it. */
  certificateFor(name: string): SecureContext | undefined;
  certificates: Pick<Certificates, 'onOwnCertificate' | 'forNetworkNames'>;
  /** Starts what is done at intervals. */
  startJobs(): void;
  /** Looks whether the daily backup is due and makes it; the job does so every few minutes. */
  runBackupSchedule(): Promise<void>;
  close(): Promise<void>;
}

/** Wires the server together: the one place where modules meet, and its table of contents. */
export function createApp(options: AppOptions): App {
  const { config, databases, now, monotonic, log } = options;
  const database = databases.main;
  const baseUrl = () => settings.current().baseUrl ?? `http://localhost:${options.port()}`;
  const hosts = hostList({
    port: options.port,
    httpsPort: () => options.httpsPort?.(),
    baseUrl: () => settings.current().baseUrl ?? undefined,
    sharedNames: () => lan.names(),
  });
  const atomic = transactions(database);
  const accounts = accountModules({
    databases,
    fixedSettings: config.settings,
    vaultKey: config.vaultKey,
    timezone: config.timezone,
    setupCode: options.setupCode,
    passwordCost: options.passwordCost,
    fetcher: options.fetcher,
    now,
    monotonic,
    baseUrl,
    domainOf: (reference, userId) => references.domainOf(reference, userId),
    onRevoked: (keyId) => live.closeFor(keyId),
    onAudit: (userId) => onResourceChange(userId, 'audit', []),
    onRemove: (userId) => files.removeAllOf(userId),
  });
  const { settings, keys, users, sessions, passwords: hashing } = accounts;

  const storedFiles = fileQueries(database);
  const storage = fileStorage({
    folder: join(dirname(databases.file), 'files'),
    newName: () => options.randomBytes(16).toString('hex'),
    isStored: storedFiles.isStored,
    pace: uploadPace,
    ...(options.freeBytes && { freeBytes: options.freeBytes }),
  });
  const downloads = fileDownloads({
    queries: storedFiles,
    storage,
    verifyPassword: hashing.verify,
    randomBytes: options.randomBytes,
    now,
    monotonic,
    log,
  });

  const links = redirects({
    clicks: databases.clicks,
    isOwnHost: hosts.isOwn,
    isOwnAddress: hosts.isOwnAddress,
    baseUrl,
    now,
    monotonic,
    randomBytes: options.randomBytes,
    verifyPassword: hashing.verify,
    trustedProxies: () => settings.current().trustedProxies,
    privacy: () => settings.current().privacy,
    others: { file: downloads.handle },
    qr: {
      file: (...visit) => qr.answers.file(...visit),
      page: (...visit) => qr.answers.page(...visit),
      preview: (...visit) => qr.answers.preview(...visit),
      scanned: (...scan) => qr.answers.scanned(...scan),
    },
    log,
  });
  const longReads = reader(databases.file);
  const clickLog = clickQueries(longReads);
  const stats = statsService({
    queries: statsQueries(longReads),
    log: clickLog,
    catchUp: links.catchUp,
    now,
  });
  const live = liveUpdates({
    totalsOf: clickLog.linkTotals,
    clicksOf: async (ids, timezone) =>
      (await clickLog.clicksById(ids)).map((row) => presentClick(row, timezone, baseUrl())),
    monotonic,
    onError: (err) => log.error({ err }, 'a live update failed'),
  });
  links.onCounted(live.clicksCounted);
  settings.onChange((names) => {
    if (names.includes('privacy')) links.settingsChanged();
    if (names.includes('sharing')) void lan.sync();
    if (['ssl', 'baseUrl', 'sharing'].some((name) => names.includes(name))) domains.settingsChanged();
  });
  const onResourceChange = (userId: number, resource: string, ids: number[]) => {
    live.publish(userId, { type: 'changed', resource, ids });
    // Its triggers wrote down what happened; its own changes are no news to it.
    if (resource !== 'webhooks' && resource !== 'audit') webhooks.wake();
  };

  const channels = channelQueries(database);
  const aliases = aliasQueries(database);
  const linkRows = linkQueries(database);
  const changes = changeQueries(database);
  const domainRows = domainQueries(database, now);
  const references = linkReferences({
    database,
    channels,
    domains: domainRows,
    isOwnAddress: (url) => hosts.isOwnAddress(url),
    baseUrl,
  });
  const history = linkHistory({
    links: linkRows,
    aliases,
    changes,
    channels,
    referencesOf: references.of,
    now,
  });
  const shared = {
    queries: linkRows,
    aliases,
    channels,
    references,
    history,
    now,
    transactions: atomic,
    onChange: (userId: number, linkIds: number[]) => onResourceChange(userId, 'links', linkIds),
  };
  const linksService = linkService({
    ...shared,
    passwords: hashing,
    newAlias: (length) => randomAlias(options.randomInteger, length),
  });

  const simulator = simulatorService({
    queries: caseQueries(database),
    links: linksService,
    simulate: links.simulate,
    baseUrl,
    now,
    onChange: onResourceChange,
  });

  const files = fileService({
    queries: storedFiles,
    storage,
    aliases,
    passwords: hashing,
    domainOf: references.domainOf,
    newAlias: (length) => randomAlias(options.randomInteger, length),
    now,
    transactions: atomic,
    maxUploadBytes: () => (options.maxUploadMb?.() ?? settings.current().maxUploadMb) * 1_000_000,
    onFault: (err) => log.error({ err }, 'the content of a deleted file could not be removed'),
    onChange: (userId, ids) => onResourceChange(userId, 'files', ids),
  });

  const bios = bioModules({
    database,
    reader: longReads,
    aliases,
    references,
    fetcher: accounts.fetcher,
    transactions: atomic,
    baseUrl,
    now,
    randomInteger: options.randomInteger,
    randomBytes: options.randomBytes,
    onChange: onResourceChange,
  });
  const qr: QrModules = qrModules({
    database,
    links: linksService,
    findLink: linkRows.find,
    references,
    fetcher: accounts.fetcher,
    transactions: atomic,
    baseUrl,
    now,
    randomInteger: options.randomInteger,
    onChange: onResourceChange,
    log,
  });
  const dressing = dressingModules({
    channelItems: { bio: bios.findItem, qr: qr.findItem },
    database,
    channels,
    links: linksService,
    references,
    stats,
    fetcher: accounts.fetcher,
    transactions: atomic,
    baseUrl,
    now,
    monotonic,
    randomInteger: options.randomInteger,
    randomBytes: options.randomBytes,
    onChange: onResourceChange,
  });

  const jobs = scheduler({ now, monotonic, log });
  jobs.add(trashJob({ queries: linkRows, aliases, transactions: atomic, now }));
  const webhooks = webhookModules({
    database,
    fetcher: accounts.fetcher,
    vault: accounts.vault,
    baseUrl,
    now,
    monotonic,
    randomBytes: options.randomBytes,
    transactions: atomic,
    onChange: onResourceChange,
    log,
  });
  jobs.add(webhooks.job);
  const { network } = options;
  const lan = sharing({
    isOn: () => network !== undefined && settings.current().sharing,
    isFixed: () => settings.show().fixed.includes('sharing'),
    addresses: network?.addresses ?? (() => []),
    hostName: network?.hostName ?? 'localhost',
    port: options.port,
    bound: network?.bound ?? (() => []),
    listenOn: async (address) => {
      if (!network) throw new Error('This server knows of no network.');
      return network.listenOn(address, (request, response) => answer.handle(request, response));
    },
    https: () => {
      const port = options.httpsPort?.();
      const own = domains.certificates.own.state();
      if (port === undefined || own?.expiresAt == null) return undefined;
      return { port, names: own.names, rootFingerprint: own.rootFingerprint };
    },
    discovery: network?.discovery,
    instanceName: () => `Waypost on ${network?.hostName ?? 'this computer'}`,
    monotonic,
    log,
  });
  if (network) jobs.add(lan.job);
  links.onCounted(webhooks.clicked);
  const framings = framingQueries(database);
  const framing = framingService({ queries: framings, fetcher: accounts.fetcher, baseUrl, now });
  jobs.add(framingJob({ queries: framings, framing, findLink: linkRows.find, now }));
  jobs.add(
    retentionJob({
      queries: retentionQueries(databases.clicks),
      transactions: transactions(databases.clicks),
      retentionDays: () => settings.current().retentionDays,
      storesAddresses: () => settings.current().privacy.storeAddresses,
      limitedAccounts: () => limitedRetention(users.all()),
      now,
    }),
  );
  const domains = domainModules({
    databases,
    settings: settings.current,
    fetcher: accounts.fetcher,
    references,
    ownsBio: bios.isOwned,
    isOwnHost: hosts.isOwn,
    ownNames: hosts.names,
    baseUrl: () => settings.current().baseUrl ?? undefined,
    scheduler: jobs,
    httpsPort: options.httpsPort ?? (() => undefined),
    transactions: atomic,
    now,
    randomInteger: options.randomInteger,
    randomBytes: options.randomBytes,
    onChange: onResourceChange,
    log,
  });

  const backups = backupModules({
    databases,
    settings: () => settings.current().backup,
    timezone: config.timezone,
    vault: accounts.vault,
    vaultKey: accounts.vaultKey,
    vaultKeyIsFixed: config.vaultKey !== undefined,
    version: options.version,
    sessions,
    audit: accounts.audit,
    scheduler: jobs,
    restart: options.restart ?? (() => {}),
    now,
    randomBytes: options.randomBytes,
    log,
  });

  const imports = importService({ ...shared, links: linksService, baseUrl });

  const routes: Route[] = [
    ...instanceRoutes({ version: options.version, features, sessions, routes: () => routes }),
    ...accounts.routes,
    ...domains.routes,
    ...webhooks.routes,
    ...sharingRoutes({ sharing: lan }),
    ...dressing.routes,
    ...bios.routes,
    ...qr.routes,
    ...fileRoutes({ files, baseUrl, now }),
    ...framingRoutes({
      framing,
      references,
      hostOf: (id, userId) => domainRows.findUsable(id, userId)?.host ?? null,
    }),
    ...linkRoutes({
      links: linksService,
      framing,
      bulk: bulkService(shared),
      imports,
      exports: linkExports({ queries: linkRows, baseUrl, now }),
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
    ...statsRoutes({
      stats,
      checkLink: (id, caller) => void linksService.get(id, caller),
      baseUrl,
    }),
    ...eventRoutes({ live, now }),
    ...backups.routes,
  ];

  const limiters = { keys: rateLimiter({ monotonic, now }), addresses: rateLimiter({ monotonic, now }) };
  const api = apiApplication({
    routes,
    hosts,
    authenticate: authenticator({ keys, users }),
    limiters,
    ratelimit: () => settings.current().ratelimit,
    trustedProxies: () => settings.current().trustedProxies,
    log,
    checkReplies: options.checkReplies ?? false,
  });
  const rateHeadersOf = (request: IncomingMessage) => {
    const address = addressOf(request, settings.current().trustedProxies);
    return rateHeaders(limiters.addresses.look(networkOf(address), budgets.keyless));
  };
  const showAvatar = avatars({
    nameOf: (id) => nameOf(users.find(id)?.user),
    findPicture: accounts.avatars.find,
  });

  const showAdmin = adminPages(options.adminFolder);

  const answer = {
    handle: front({
      api: api.callback(),
      admin(request, response) {
        const name = readHost(request)?.name ?? '';
        if (!domains.sendToHttps(request, response, name)) showAdmin(request, response);
      },
      links(request, response, host) {
        if (domains.answer(request, response, host)) return;
        const avatar = avatarPath.exec(request.url ?? '');
        if (avatar) showAvatar(request, response, Number(avatar[1]), avatar[2]);
        else links.handle(request, response, host);
      },
      hosts,
      rateHeadersOf,
    }),
  };

  return {
    ...answer,
    isFresh: () => sessions.isFresh(),
    async createAdministrator(registration) {
      const { apiKey, account } = await sessions.setUp(registration, { local: true, code: undefined });
      return { userId: account.user.id, apiKey };
    },
    settings: settings.current,
    services: { userAdmin: accounts.userAdmin, imports, ...accounts.keyCommands },
    drain: live.closeAll,
    certificateFor: domains.certificates.contextFor,
    certificates: domains.certificates,
    runBackupSchedule: () => backups.backups.runSchedule(AbortSignal.any([])),
    startJobs() {
      jobs.start();
      // The own certificate does not wait for the first run of the job.
      void domains.certificates.own.sync();
    },
    async close() {
      await backups.backups.close();
      await jobs.stop();
      await webhooks.stop();
      await lan.stop();
      links.flush();
      await links.close();
      await longReads.close();
      await qr.close();
      databases.close();
    },
  };
}

function nameOf(user: { name: string; username: string } | undefined): string | undefined {
  return user && (user.name || user.username);
}
