import type { Identity } from '../../identity/module.ts';
import type { Core } from '../../platform/core.ts';
import { isSecure } from '../../platform/http/encryption.ts';
import type { Module } from '../../platform/module.ts';
import { omittedNames } from '../../visits/clicks/omissions.ts';
import { passwordGate } from '../../visits/redirects/password-gate.ts';
import type { Redirects } from '../../visits/redirects/redirect-path.ts';
import type { StatsService } from '../../visits/stats/service.ts';
import { recentMetrics } from './metrics.ts';
import { statsPageQueries } from './queries.ts';
import { statsPageRoutes } from './routes.ts';
import { statsPageService } from './service.ts';
import { statsPageVisits } from './visits.ts';

interface Options {
  identity: Pick<Identity, 'passwords'>;
  redirects: Pick<Redirects, 'answerPath' | 'omissions'>;
  stats: Pick<StatsService, 'ofLink' | 'ofCampaign'>;
}

/** Wires the public statistics pages of links and campaigns. */
export function statsPageModule(core: Core, { identity, redirects, stats }: Options): Module {
  const { audit, baseUrl, clock, databases, log, random, settings, transactions } = core;
  const { now, monotonic } = clock;
  const { passwords } = identity;
  const queries = statsPageQueries(databases.main);
  const pages = statsPageService({ queries, passwords, transactions, randomBytes: random.bytes });
  const visits = statsPageVisits({
    queries,
    metrics: recentMetrics({ stats, monotonic }),
    gate: passwordGate({ passwords, unlockKey: random.bytes(32), now, monotonic }),
    notKept: (userId) => omittedNames(redirects.omissions(userId)),
    isSecure: (request) => isSecure(request, settings.current().trustedProxies),
    baseUrl,
    now,
    monotonic,
    log,
  });
  redirects.answerPath('stats', visits.answer);
  return { routes: statsPageRoutes({ pages, audit, baseUrl }) };
}
