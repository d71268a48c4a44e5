import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { avatarPath, avatars } from './account/avatar.ts';
import { accountRoutes } from './account/routes.ts';
import { channelQueries } from './channels/queries.ts';
import { channelRoutes } from './channels/routes.ts';
import type { Config } from './config.ts';
import type { Databases } from './database/open.ts';
import { transactions } from './database/transactions.ts';
import { domainQueries } from './domains/queries.ts';
import { adminPages } from './http/admin.ts';
import { apiApplication } from './http/api.ts';
import { authenticator } from './http/authenticate.ts';
import { front } from './http/front.ts';
import { hostList } from './http/hosts.ts';
import { rateLimiter } from './http/rate-limit.ts';
import type { Route } from './http/serve.ts';
import { instanceRoutes } from './instance/routes.ts';
import { passwords } from './keys/passwords.ts';
import { keyQueries } from './keys/queries.ts';
import { keyService } from './keys/service.ts';
import { aliasQueries } from './links/alias-queries.ts';
import { randomAlias } from './links/aliases.ts';
import { bulkService } from './links/bulk.ts';
import { changeQueries } from './links/change-queries.ts';
import { linkHistory } from './links/history.ts';
import { importService } from './links/import.ts';
import { linkQueries } from './links/queries.ts';
import { linkReferences } from './links/references.ts';
import { linkRoutes } from './links/routes.ts';
import { linkService } from './links/service.ts';
import { planQueries } from './plans/queries.ts';
import { failureLock } from './sessions/failure-lock.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { sessionService } from './sessions/service.ts';
import { userQueries } from './users/queries.ts';
import { userService } from './users/service.ts';

/** What this server can do beyond the published contract; `GET /api/meta` tells it to clients. */
const features = [
  'links',
  'bulk',
  'import',
  'history',
  'undo',
  'stats',
  'events',
  'sessions',
  'channels.list',
  'openapi',
];

/** The plan that new accounts start on; plan 2 is Pro (decisions, section 3). */
const startingPlan = 2;

export interface AppOptions {
  config: Pick<Config, 'baseUrl' | 'ratelimit' | 'trustedProxies' | 'uncountedAddresses' | 'timezone'>;
  databases: Databases;
  /** The port that is listened on, known once it is. */
  port: () => number;
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
  /** log2 of the cost of password hashes; tests make it small. */
  passwordCost?: number;
  /** Fails a request whose reply breaks the contract; for tests. */
  checkReplies?: boolean;
}

export interface App {
  handle: RequestListener;
  /** Whether no account exists yet. */
  isFresh(): boolean;
  /** Ends what would keep connections open: the live streams. */
  drain(): void;
  close(): void;
}

/** Wires the server together: the one place where modules meet, and its table of contents. */
export function createApp(options: AppOptions): App {
  const { config, databases, now, monotonic, log } = options;
  const database = databases.main;
  const baseUrl = () => config.baseUrl ?? `http://localhost:${options.port()}`;
  const hosts = hostList({ port: options.port, baseUrl: () => config.baseUrl, sharedNames: () => [] });
  const atomic = transactions(database);

  const hashing = passwords(options.passwordCost === undefined ? {} : { cost: options.passwordCost });
  const keys = keyService({ queries: keyQueries(database), now });
  const users = userService({
    queries: userQueries(database),
    plans: planQueries(database),
    passwords: hashing,
    now,
    timezone: config.timezone,
    defaultPlan: () => startingPlan,
  });
  const sessions = sessionService({
    users,
    keys,
    passwords: hashing,
    failures: failureLock(database, now),
    transactions: atomic,
    setupCode: options.setupCode,
  });

  const channels = channelQueries(database);
  const aliases = aliasQueries(database);
  const links = linkQueries(database);
  const changes = changeQueries(database);
  const references = linkReferences({
    database,
    channels,
    domains: domainQueries(database),
    isOwnAddress: (url) => hosts.isOwnAddress(url),
    baseUrl,
  });
  const history = linkHistory({ links, aliases, changes, channels, now });
  const onChange = (_userId: number, _linkIds: number[]) => {};
  const shared = {
    queries: links,
    aliases,
    channels,
    references,
    history,
    now,
    transactions: atomic,
    onChange,
  };
  const linksService = linkService({
    ...shared,
    passwords: hashing,
    newAlias: (length) => randomAlias(options.randomInteger, length),
  });

  const routes: Route[] = [
    ...instanceRoutes({ version: options.version, features, sessions, routes: () => routes }),
    ...sessionRoutes({ sessions, keys, baseUrl, onRevoked: () => {} }),
    ...accountRoutes({ baseUrl }),
    ...channelRoutes({ queries: channels }),
    ...linkRoutes({
      links: linksService,
      bulk: bulkService(shared),
      imports: importService({ ...shared, links: linksService, baseUrl }),
      changes,
      references,
      figures: () => ({
        clicks: 0,
        uniqueClicks: 0,
        topCountries: {},
        topReferrers: {},
        topBrowsers: {},
        topOs: {},
        socialCount: { facebook: 0, twitter: 0, google: 0 },
      }),
      baseUrl,
      now,
    }),
  ];

  const api = apiApplication({
    routes,
    hosts,
    authenticate: authenticator({ keys, users }),
    limiter: rateLimiter({ monotonic, now }),
    ratelimit: () => config.ratelimit,
    trustedProxies: () => config.trustedProxies,
    log,
    checkReplies: options.checkReplies ?? false,
  });
  const drawAvatar = avatars({ nameOf: (id) => nameOf(users.find(id)?.user) });

  return {
    handle: front({
      api: api.callback(),
      admin: adminPages(options.adminFolder),
      links(request, response, _host) {
        const avatar = avatarPath.exec(request.url ?? '');
        if (avatar) drawAvatar(request, response, Number(avatar[1]));
        else response.writeHead(404).end();
      },
      hosts,
    }),
    isFresh: () => sessions.isFresh(),
    drain() {},
    close() {
      databases.close();
    },
  };
}

function nameOf(user: { name: string; username: string } | undefined): string | undefined {
  return user && (user.name || user.username);
}
