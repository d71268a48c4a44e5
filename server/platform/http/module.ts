import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { auditQueries } from '../audit/queries.ts';
import { recordActivity } from '../audit/record-activity.ts';
import type { Core } from '../core.ts';
import { creators, recordVersions } from '../database/authorship.ts';
import { type AdminPages, adminPages } from './admin.ts';
import { apiApplication } from './api.ts';
import type { Authenticate } from './caller.ts';
import { answerFailure } from './errors.ts';
import { readHost } from './hosts.ts';
import { httpEntry } from './http-entry.ts';
import { ongoingRequests } from './ongoing.ts';
import type { RequestLimits } from './request-limits.ts';
import type { Route } from './serve.ts';

interface Options {
  routes: Route[];
  authenticate: Authenticate;
  limits: RequestLimits;
  /** The built renderer. */
  adminFolder: string;
  /** Fails a request whose response violates the contract; for tests. */
  checkReplies?: boolean;
  /** Short links and public pages. */
  redirects: { handle: (request: IncomingMessage, response: ServerResponse, host: string) => void };
  domains: {
    /** Redirects a visitor on plain HTTP to HTTPS where that works. */
    sendToHttps: (request: IncomingMessage, response: ServerResponse, host: string) => boolean;
    isAlwaysSecure: (host: string) => boolean;
  };
}

/** A filter before the API and the admin pages on some listeners. */
interface Guard {
  api: (answer: RequestListener) => RequestListener;
  admin: (answer: AdminPages) => AdminPages;
}

/** Creates the request handler; returns it for listeners with a guard of their own. */
export function httpModule(core: Core, options: Options): (guard: Guard) => RequestListener {
  const { endedMemberships, hosts, log, revokedKeys, settings, space } = core;
  const { limits, redirects, domains } = options;
  const ongoing = ongoingRequests();
  revokedKeys.subscribe(ongoing.cut);
  endedMemberships.subscribe(ongoing.cutMember);
  const application = apiApplication({
    routes: options.routes,
    hosts,
    authenticate: options.authenticate,
    ongoing,
    limiters: limits,
    ratelimit: () => settings.current().ratelimit,
    trustedProxies: () => settings.current().trustedProxies,
    log,
    space,
    writes: core.writes,
    creators: creators(core.databases.main),
    versionOf: recordVersions(core.databases.main),
    activity: recordActivity({
      database: core.databases.main,
      queries: auditQueries(core.databases.main),
      transactions: core.transactions,
      now: core.clock.now,
      log,
    }),
    nextTurn: core.turns.next,
    checkReplies: options.checkReplies ?? false,
  }).callback();
  // Requests that arrive together begin one after the other, and redirects come in between (decision 0038).
  const api: RequestListener = (request, response) =>
    core.turns.take(() => {
      if (response.destroyed) return;
      try {
        void application(request, response);
      } catch (error) {
        answerFailure(response, error, log);
      }
    });
  const showAdmin = adminPages(options.adminFolder);
  const admin: AdminPages = (request, response) => {
    const name = readHost(request)?.name ?? '';
    if (!domains.sendToHttps(request, response, name)) showAdmin(request, response);
  };
  return (guard) =>
    httpEntry({
      api: guard.api(api),
      admin: guard.admin(admin),
      redirects: redirects.handle,
      hosts,
      isAlwaysSecure: domains.isAlwaysSecure,
      rateHeadersOf: limits.headersOf,
    });
}
