import type { IncomingMessage, RequestListener } from 'node:http';
import { dirname } from 'node:path';
import type { SecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { bioModules } from './content/bio/module.ts';
import { fileModules } from './content/files/module.ts';
import { interstitialModules } from './content/interstitials/module.ts';
import { linkModules } from './content/links/module.ts';
import { pictureQueries } from './content/pictures/queries.ts';
import { type QrModules, qrModules } from './content/qr/module.ts';
import type { Settings } from './contract/settings.ts';
import { avatarPath, avatars } from './identity/account/avatar.ts';
import { accountModules } from './identity/module.ts';
import { storageQueries } from './identity/plans/storage-queries.ts';
import { storageQuota } from './identity/plans/storage-quota.ts';
import { authenticator } from './identity/sessions/authenticate.ts';
import type { Registration } from './identity/users/service.ts';
import type { Certificates } from './network/certificates/certificates.ts';
import { domainModules } from './network/domains/module.ts';
import { type Network, sharingModules } from './network/sharing/module.ts';
import { webhookModules } from './network/webhooks/module.ts';
import { backupModules } from './operations/backup/module.ts';
import type { Services } from './operations/commands/services.ts';
import { features } from './operations/instance/features.ts';
import { instanceRoutes } from './operations/instance/routes.ts';
import { stranger } from './platform/audit/actor.ts';
import type { Config } from './platform/config.ts';
import { checkpoints } from './platform/database/checkpoints.ts';
import { checkBeforeCommit } from './platform/database/commit-guard.ts';
import { type DiskBytes, diskSpace } from './platform/database/disk-space.ts';
import type { Databases } from './platform/database/open.ts';
import { reader } from './platform/database/reader.ts';
import { soundness } from './platform/database/soundness.ts';
import { transactions } from './platform/database/transactions.ts';
import { changeFeed } from './platform/events/changes.ts';
import { live as liveUpdates } from './platform/events/live.ts';
import { eventRoutes } from './platform/events/routes.ts';
import type { Fetcher } from './platform/fetcher/fetcher.ts';
import { addressOf, networkOf } from './platform/http/addresses.ts';
import { adminPages } from './platform/http/admin.ts';
import { apiApplication, budgets } from './platform/http/api.ts';
import { rateHeaders } from './platform/http/headers.ts';
import { hostList, readHost } from './platform/http/hosts.ts';
import { httpEntry } from './platform/http/http-entry.ts';
import { ongoingRequests } from './platform/http/ongoing.ts';
import { rateLimiter } from './platform/http/rate-limit.ts';
import type { Route } from './platform/http/serve.ts';
import { writeGate } from './platform/http/write-gate.ts';
import { backlog } from './platform/jobs/backlog.ts';
import { deletionClock } from './platform/jobs/deletion-clock.ts';
import { scheduler } from './platform/jobs/scheduler.ts';
import { slices } from './platform/jobs/slices.ts';
import { removalModules } from './platform/trash/module.ts';
import { removalOfGoneLinks } from './visits/clicks/gone-links.ts';
import { limitedRetention, retentionJob } from './visits/clicks/retention-job.ts';
import { retentionQueries } from './visits/clicks/retention-queries.ts';
import type { Geolocation } from './visits/redirects/geolocation.ts';
import { redirects } from './visits/redirects/redirects.ts';
import { clickQueries } from './visits/stats/click-queries.ts';
import { presentClick } from './visits/stats/presenter.ts';
import { statsQueries } from './visits/stats/queries.ts';
import { statsRoutes } from './visits/stats/routes.ts';
import { statsService } from './visits/stats/service.ts';

export interface AppOptions {
  config: Pick<Config, 'settings' | 'vaultKey' | 'timezone'> & Partial<Pick<Config, 'desktop'>>;
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
  /** Where visitors are; the bundled database of countries unless told otherwise. */
  geolocation?: Geolocation | undefined;
  /** Fetches pictures; tests bring one that knows no network. */
  fetcher?: Fetcher;
  /** log2 of the cost of password hashes; tests make it small. */
  passwordCost?: number;
  /** Fails a request whose reply breaks the contract; for tests. */
  checkReplies?: boolean;
  /** Most megabytes of an uploaded file (decision 0019: 100). */
  maxUploadMb?: () => number;
  /** Longest pause between two looks at what jobs are due, in milliseconds; tests make it short. */
  lookMs?: number | undefined;
  /** Milliseconds for a certificate's whole order; tests make them few. */
  orderMs?: number | undefined;
  /** Milliseconds between two looks at the space of the data folder's disk. */
  spaceLookMs?: number | undefined;
  /** What the disk of a folder says of itself; tests make it small. */
  diskBytes?: (folder: string) => DiskBytes;
  /** Free bytes of a folder's disk; tests make them few. */
  freeBytes?: (folder: string) => Promise<number>;
  /** Closes this app and begins anew on the same data folder, where a restored backup takes its place. */
  restart?: () => void;
  /** The machine's place in its networks; without it nothing can be shared there. */
  network?: Network;
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
  certificates: Pick<Certificates, 'forNetworkNames' | 'onNetworkCertificate' | 'onOwnCertificate'>;
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
  const changes = changeFeed((err) => log.error({ err }, 'a listener to changes failed'));
  const hosts = hostList({
    port: options.port,
    httpsPort: () => options.httpsPort?.(),
    baseUrl: () => settings.current().baseUrl ?? undefined,
    sharedHttpsPort: () => lan.httpsPort(),
    sharedNames: () => lan.names(),
  });
  const writeBack = checkpoints(databases.clicks, database);
  const atomic = transactions(database, writeBack.consider, checkBeforeCommit);
  const clickAtomic = transactions(databases.clicks, writeBack.consider);
  const works = slices({ transactions: atomic, monotonic, mustWait: writeBack.isBehind });
  const leftovers = backlog({ slices: works, monotonic, log });
  const ongoing = ongoingRequests();
  const clock = deletionClock({ database, now, log });
  const space = diskSpace({
    folder: dirname(databases.file),
    database,
    log,
    lookMs: options.spaceLookMs,
    ...(options.diskBytes && { bytesOf: options.diskBytes }),
  });
  const writes = writeGate();
  const sound = soundness({
    folder: dirname(databases.file),
    file: databases.file,
    leftOpen: databases.leftOpen,
    now,
    log,
  });
  const quota = storageQuota(storageQueries(database));
  const accounts = accountModules({
    databases,
    quota,
    clock,
    transactions: atomic,
    backlog: leftovers,
    fixedSettings: config.settings,
    vaultKey: config.vaultKey,
    log,
    timezone: config.timezone,
    setupCode: options.setupCode,
    isDesktop: config.desktop === true,
    passwordCost: options.passwordCost,
    fetcher: options.fetcher,
    now,
    monotonic,
    baseUrl,
    domainOf: (reference, userId) => references.domainOf(reference, userId),
    onRevoked(keyId) {
      live.closeFor(keyId);
      ongoing.cut(keyId);
      webhooks.keyChanged(keyId);
    },
    changes,
    onRemove: (userId) => files.removeAllOf(userId),
  });
  const { settings, keys, users, sessions, passwords: hashing } = accounts;
  const ownHost = new URL(baseUrl()).hostname;
  if (accounts.isDomain(ownHost)) {
    log.warn(
      `${ownHost} is the address of this instance and a domain too: the links of that domain do not answer.`,
    );
  }

  const links = redirects({
    clicks: databases.clicks,
    checkpoints: writeBack,
    main: databases.main,
    onFormLimit: ({ userId, ...limit }) =>
      accounts.audit.note(stranger(''), 'form.limited', { ...limit }, userId),
    space,
    writes,
    isOwnHost: hosts.isOwn,
    isOwnAddress: hosts.isOwnAddress,
    baseUrl,
    now,
    monotonic,
    randomBytes: options.randomBytes,
    passwords: hashing,
    trustedProxies: () => settings.current().trustedProxies,
    privacy: () => settings.current().privacy,
    others: { file: (...visit) => files.downloads.handle(...visit) },
    qr: {
      file: (...visit) => qr.answers.file(...visit),
      page: (...visit) => qr.answers.page(...visit),
      preview: (...visit) => qr.answers.preview(...visit),
      scanned: (...scan) => qr.answers.scanned(...scan),
    },
    log,
    geolocation: options.geolocation,
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
    if (names.includes('sharing') || names.includes('sharingPort')) void lan.sync();
    if (['ssl', 'baseUrl', 'sharing'].some((name) => names.includes(name))) domains.settingsChanged();
  });
  changes.subscribe(live.changed);

  const retention = retentionQueries(databases.clicks);
  const removeGoneLinks = leftovers.add({
    name: 'gone links',
    step: removalOfGoneLinks(retention),
    transactions: clickAtomic,
  });
  const linkParts = linkModules({
    database,
    passwords: hashing,
    fetcher: accounts.fetcher,
    stats,
    simulate: links.simulate,
    isOwnAddress: hosts.isOwnAddress,
    baseUrl,
    now,
    randomInteger: options.randomInteger,
    transactions: atomic,
    slices: works,
    backlog: leftovers,
    reader: longReads,
    findAccount: users.find,
    onPurge: () => void removeGoneLinks(),
    clock,
    log,
    changes,
  });
  const { aliases, channels, references, service: linksService } = linkParts;
  const files = fileModules({
    databases,
    aliases,
    references,
    passwords: hashing,
    quota,
    maxUploadMb: () => options.maxUploadMb?.() ?? settings.current().maxUploadMb,
    freeBytes: options.freeBytes,
    baseUrl,
    now,
    monotonic,
    randomInteger: options.randomInteger,
    randomBytes: options.randomBytes,
    transactions: atomic,
    changes,
    log,
  });
  const kept = removalModules({
    database,
    transactions: atomic,
    sweepPictures: pictureQueries(database).sweep,
    clock,
    now,
  });
  const bios = bioModules({
    database,
    quota,
    reader: longReads,
    aliases,
    channels,
    removals: kept.removals,
    references,
    fetcher: accounts.fetcher,
    transactions: atomic,
    baseUrl,
    now,
    randomInteger: options.randomInteger,
    randomBytes: options.randomBytes,
    changes,
  });
  const qr: QrModules = qrModules({
    database,
    quota,
    channels,
    removals: kept.removals,
    links: linksService,
    findLink: linkParts.find,
    references,
    fetcher: accounts.fetcher,
    stats,
    transactions: atomic,
    baseUrl,
    now,
    randomInteger: options.randomInteger,
    changes,
    log,
  });
  const interstitials = interstitialModules({
    quota,
    channelItems: { bio: bios.findItem, qr: qr.findItem },
    database,
    channels,
    links: linksService,
    references,
    removals: kept.removals,
    stats,
    fetcher: accounts.fetcher,
    transactions: atomic,
    baseUrl,
    now,
    monotonic,
    randomInteger: options.randomInteger,
    randomBytes: options.randomBytes,
    changes,
  });

  const jobs = scheduler({ now, monotonic, log, lookMs: options.lookMs });
  for (const job of [...accounts.jobs, ...linkParts.jobs]) jobs.add(job);
  jobs.add(kept.job);
  jobs.add(leftovers.job);
  jobs.add(sound.job);
  const webhooks = webhookModules({
    database,
    fetcher: accounts.fetcher,
    vault: accounts.vault,
    baseUrl,
    now,
    monotonic,
    randomBytes: options.randomBytes,
    transactions: atomic,
    backlog: leftovers,
    changes,
    log,
  });
  jobs.add(webhooks.job);
  const lan = sharingModules({
    network: options.network,
    settings: settings.current,
    keepPort: (port) => void settings.change({ sharingPort: port }),
    isFixed: () => settings.show().fixed.includes('sharing'),
    handle: (request, response) => answer.handle(request, response),
    handlePlain: (request, response) => answerPlain(request, response),
    port: options.port,
    httpsPort: () => options.httpsPort?.(),
    certificates: () => domains.certificates,
    rateHeadersOf: (request) => rateHeadersOf(request),
    monotonic,
    log,
  });
  for (const job of lan.jobs) jobs.add(job);
  links.onCounted(webhooks.clicked);
  // Triggers wrote down what happened; changes of webhooks themselves are no news to them.
  changes.subscribe(({ resource }) => {
    if (resource !== 'webhooks' && resource !== 'audit') webhooks.wake();
  });
  jobs.add(
    retentionJob({
      queries: retention,
      transactions: clickAtomic,
      retentionDays: () => settings.current().retentionDays,
      storesAddresses: () => settings.current().privacy.storeAddresses,
      limitedAccounts: () => limitedRetention(users.all()),
      clock,
      now,
    }),
  );
  const domains = domainModules({
    databases,
    quota,
    audit: accounts.audit,
    settings: settings.current,
    fetcher: accounts.fetcher,
    references,
    ownsBio: bios.isOwned,
    isOwnHost: hosts.isOwn,
    ownNames: hosts.names,
    baseUrl: () => settings.current().baseUrl ?? undefined,
    scheduler: jobs,
    backlog: leftovers,
    clock,
    orderMs: options.orderMs,
    httpsPort: options.httpsPort ?? (() => undefined),
    transactions: atomic,
    now,
    randomInteger: options.randomInteger,
    randomBytes: options.randomBytes,
    changes,
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
    writes,
    audit: accounts.audit,
    transactions: atomic,
    scheduler: jobs,
    restart: options.restart ?? (() => {}),
    now,
    randomBytes: options.randomBytes,
    log,
  });

  const routes: Route[] = [
    ...instanceRoutes({
      version: options.version,
      features,
      sessions,
      routes: () => routes,
      condition: () => ({
        lostvisits: links.lostClicks(),
        disk: space.state(),
        freebytes: space.freeBytes(),
        doubtedSince: clock.doubtedSince(),
        damage: sound.fault(),
      }),
    }),
    ...accounts.routes,
    ...domains.routes,
    ...webhooks.routes,
    ...lan.routes,
    ...interstitials.routes,
    ...bios.routes,
    ...qr.routes,
    ...files.routes,
    ...linkParts.routes,
    ...statsRoutes({
      stats,
      checkLink: (id, caller) => void linksService.get(id, caller),
      baseUrl,
    }),
    ...eventRoutes({ live }),
    ...backups.routes,
  ];

  const limiters = { keys: rateLimiter({ monotonic, now }), addresses: rateLimiter({ monotonic, now }) };
  const api = apiApplication({
    routes,
    hosts,
    authenticate: authenticator({ keys, users }),
    ongoing,
    limiters,
    ratelimit: () => settings.current().ratelimit,
    trustedProxies: () => settings.current().trustedProxies,
    log,
    space,
    writes,
    checkReplies: options.checkReplies ?? false,
  });
  const rateHeadersOf = (request: IncomingMessage) => {
    const address = addressOf(request, settings.current().trustedProxies);
    return rateHeaders(limiters.addresses.look(networkOf(address), budgets.keyless));
  };
  const showAvatar = avatars({
    findPicture: accounts.avatars.find,
  });

  const showAdmin = adminPages(options.adminFolder);

  const parts: Parameters<typeof httpEntry>[0] = {
    api: api.callback(),
    admin(request, response) {
      const name = readHost(request)?.name ?? '';
      if (!domains.sendToHttps(request, response, name)) showAdmin(request, response);
    },
    redirects(request, response, host) {
      if (domains.answer(request, response, host)) return;
      const avatar = avatarPath.exec(request.url ?? '');
      if (avatar) showAvatar(request, response, avatar);
      else links.handle(request, response, host);
    },
    hosts,
    isAlwaysSecure: domains.isAlwaysSecure,
    rateHeadersOf,
  };
  const guarded = ({ api, admin }: typeof lan.guard.own) =>
    httpEntry({ ...parts, api: api(parts.api), admin: admin(parts.admin) });
  const answer = { handle: guarded(lan.guard.own) };
  const answerPlain = guarded(lan.guard.shared);

  return {
    ...answer,
    isFresh: () => sessions.isFresh(),
    async createAdministrator(registration) {
      const { apiKey, account } = await sessions.setUp(registration, {
        local: true,
        code: options.setupCode,
      });
      return { userId: account.user.id, apiKey };
    },
    settings: settings.current,
    services: { userAdmin: accounts.userAdmin, imports: linkParts.imports, ...accounts.keyCommands },
    drain: live.closeAll,
    certificateFor: domains.certificates.contextFor,
    certificates: domains.certificates,
    runBackupSchedule: () => backups.backups.runSchedule(AbortSignal.any([])),
    startJobs() {
      jobs.start();
      // The own certificate and the network do not wait for the first run of their jobs.
      void domains.certificates.own.sync();
      void lan.sync();
    },
    async close() {
      space.close();
      await backups.backups.close();
      await works.close();
      await jobs.stop();
      await webhooks.stop();
      await lan.stop();
      links.flush();
      links.close();
      await writeBack.close();
      await longReads.close();
      await sound.close();
      await qr.close();
      databases.close();
    },
  };
}
