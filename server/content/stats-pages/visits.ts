import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Omitted } from '../../contract/privacy.ts';
import { fixedWindow } from '../../platform/concurrency/fixed-window.ts';
import { networkOf } from '../../platform/http/addresses.ts';
import { readLanguages } from '../../platform/text/languages.ts';
import { sendPage, sendPublicPage } from '../../visits/redirects/answers.ts';
import type { PathVisit } from '../../visits/redirects/campaign-visits.ts';
import {
  messagePage,
  passwordPage,
  passwordProblemPage,
  wrongMethodPage,
} from '../../visits/redirects/pages/pages.ts';
import type { PasswordGate } from '../../visits/redirects/password-gate.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import { type PublicPeriod, publicPeriods, type RecentMetrics } from './metrics.ts';
import { statsPageOf, statsTextsFor } from './page.ts';
import { type PublicStatsPage, type StatsPageQueries, subjectOf } from './queries.ts';

interface Options {
  queries: Pick<StatsPageQueries, 'findPublic'>;
  metrics: RecentMetrics;
  gate: PasswordGate;
  /** The data of visits that an account does not store. */
  notKept: (userId: number) => Omitted[];
  /** Whether a request came over TLS, to us or to a proxy that we trust. */
  isSecure: (request: IncomingMessage) => boolean;
  baseUrl: () => string;
  now: () => number;
  monotonic: () => number;
  log: Pick<Logger, 'error'>;
}

/** Views a minute of all these pages from one network. */
const viewsPerMinute = 60;

/** Answers `/stats/<address>`: the public statistics of a link or a campaign, where their owner turned that on. */
export function statsPageVisits(options: Options) {
  const { queries, metrics, gate, notKept, baseUrl, now, monotonic, log } = options;
  const views = fixedWindow({ limit: viewsPerMinute, windowMs: 60_000, monotonic });
  const textsOf = ({ request, domain }: PathVisit) =>
    statsTextsFor(readLanguages(request.headers['accept-language'] ?? ''), domain.brand);

  async function show(visit: PathVisit, page: PublicStatsPage, query: string): Promise<void> {
    const { request, response, address } = visit;
    const texts = textsOf(visit);
    const locked = page.password_hash !== null && { id: subjectOf(page), passwordHash: page.password_hash };
    if (request.method === 'POST') {
      if (!locked) {
        sendPage(request, response, wrongMethodPage(texts));
        return;
      }
      const form = { request, response, address, isSecure: options.isSecure(request) };
      await gate.answer(form, locked, (problem, seconds) => passwordProblemPage(texts, problem, seconds));
      return;
    }
    if (locked && !gate.isOpen(request, locked)) {
      sendPage(request, response, passwordPage(texts));
      return;
    }
    const network = networkOf(address);
    if (views.isBlocked(network)) {
      const wait = ['Retry-After', String(views.secondsLeft(network))];
      sendPage(request, response, messagePage(texts, 'tooMany', 429, wait));
      return;
    }
    views.hit(network);
    const period = readPeriod(query);
    const counted = metrics.of(page, period);
    if (!counted) {
      sendPage(request, response, messagePage(texts, 'unavailable', 503, ['Retry-After', '5']));
      return;
    }
    const { alias, host } = page;
    const subject = {
      title: page.title,
      shortUrl: alias === null ? null : shortUrl({ alias, host }, baseUrl()),
      showsReferrers: page.referrers === 1,
      notKept: notKept(page.user_id),
    };
    sendPublicPage(request, response, statsPageOf(texts, subject, period, await counted));
  }

  return {
    /** Answers an address; false when it is not a page's, or that page is off or not for this domain. */
    answer(visit: PathVisit): boolean {
      const [, token, query = ''] =
        /^\/stats\/([\w-]{22})\/?(?:\?(.*))?$/.exec(visit.request.url ?? '/') ?? [];
      const page = token === undefined ? undefined : queries.findPublic(token, now());
      // On its own domain, and always on the instance's host; never on someone else's domain.
      if (!page || (visit.domain.id !== 0 && visit.domain.id !== page.domain_id)) return false;
      show(visit, page, query).catch((error) => {
        log.error({ err: error }, 'a public statistics page failed');
        sendPage(visit.request, visit.response, messagePage(textsOf(visit), 'failed', 500));
      });
      return true;
    },
  };
}

function readPeriod(query: string): PublicPeriod {
  const asked = new URLSearchParams(query).get('period');
  return publicPeriods.find((period) => period === asked) ?? '30d';
}
