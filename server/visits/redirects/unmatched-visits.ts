import type { IncomingMessage, ServerResponse } from 'node:http';
import { readLanguages } from '../../platform/text/languages.ts';
import { type NewClick, noReferrer } from '../clicks/click.ts';
import { knowsReferrers } from '../clicks/omissions.ts';
import type { Recorder } from '../clicks/recorder.ts';
import { sendPage, sendText } from './answers.ts';
import type { PathVisit } from './campaign-visits.ts';
import { readVisitHeaders } from './header-lines.ts';
import type { Domain, LinkLookup } from './link-lookup.ts';
import { redirectHeaders } from './link-record.ts';
import type { NotFoundLimiter } from './not-found-limiter.ts';
import { notrackChoice, notrackCookie, openedBySignedIn, signedInMark } from './notrack-choice.ts';
import { landingPage, messagePage } from './pages/pages.ts';
import { textsFor } from './pages/texts.ts';
import type { Visitors } from './visitors.ts';

interface Options {
  linkLookup: LinkLookup;
  visitors: Visitors;
  recorder: Pick<Recorder<NewClick>, 'addUnmatched'>;
  notFoundLimiter: NotFoundLimiter;
  /** Shows a bio page instead of a domain's landing page; false if there is none. */
  showBio: (visit: PathVisit, id: number) => boolean;
  /** Whether the request used TLS, to this server or to a trusted proxy. */
  isSecure: (request: IncomingMessage) => boolean;
  now: () => number;
}

const robots = 'User-agent: *\nDisallow: /api/\nDisallow: /admin/\n';
const longestPath = 200;

/** Answers requests without a link: the bare domain, unknown aliases, and IP addresses that tried too many of them. */
export function unmatchedVisits({
  linkLookup,
  visitors,
  recorder,
  notFoundLimiter,
  showBio,
  isSecure,
  now,
}: Options) {
  /** Logs a visit that reached no link (decision 0021). */
  function addUnmatched({ request, domain, address }: PathVisit, path: string): void {
    const at = now();
    const headers = readVisitHeaders(request);
    const visitor = visitors.find(address, headers.userAgent, headers.acceptLanguage, at);
    const omissions = visitors.omissions(domain.userId);
    if (!visitors.isCounted(visitor, headers, '', omissions)) return;
    const { host, path: from } = knowsReferrers(omissions)
      ? visitors.findReferrer(headers.referer)
      : noReferrer;
    recorder.addUnmatched({
      at,
      domainId: domain.id,
      path: path.slice(0, longestPath).toWellFormed(),
      referrer: (host + from).slice(0, longestPath).toWellFormed(),
      bot: visitor.bot,
    });
  }

  /** Responds to an IP address that has tried too many unknown aliases, with the time of its next attempt. */
  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    domain?: Domain,
  ): void {
    const retryAfter = ['Retry-After', String(notFoundLimiter.secondsLeft(address))];
    sendPage(request, response, messagePage(textsOf(request, domain), 'tooMany', 429, retryAfter));
  }

  return {
    refuse,

    /** The bare domain: its bio page or redirect, if its owner chose one, or the landing page. */
    answerRoot(visit: PathVisit): void {
      const { request, response, domain } = visit;
      const choice = request.method === 'GET' ? notrackChoice(request.url ?? '/') : undefined;
      if (choice) {
        const cookie = ['Set-Cookie', notrackCookie(choice, isSecure(request))];
        // On the instance's own host too: links opened there from the desktop have no app that would remove the mark.
        if (choice === 'count') cookie.push('Set-Cookie', signedInMark(false, isSecure(request)));
        sendPage(request, response, messagePage(textsOf(request, domain), choice, 200, cookie));
        return;
      }
      const opened = request.method === 'GET' ? openedBySignedIn(request.url ?? '/') : undefined;
      if (opened !== undefined) {
        sendElsewhere(response, opened, ['Set-Cookie', signedInMark(true, isSecure(request))]);
        return;
      }
      if (domain.bioId !== null && showBio(visit, domain.bioId)) return;
      const elsewhere =
        domain.redirectRoot === null ? undefined : linkLookup.safeFallbackUrl(domain.redirectRoot);
      if (elsewhere) sendElsewhere(response, elsewhere);
      else {
        addUnmatched(visit, '/');
        sendPage(request, response, landingPage(textsOf(request, domain), domain.id === 0));
      }
    },

    /** A path without a target; `alias` is undefined if it is not a valid alias. */
    answerUnknown(visit: PathVisit, alias: string | undefined): void {
      const { request, response, domain, address } = visit;
      if (alias === 'robots.txt') {
        const headers = [
          'Content-Type',
          'text/plain; charset=utf-8',
          'Cache-Control',
          'public, max-age=3600',
        ];
        sendText(request, response, 200, robots, headers);
        return;
      }
      if (alias === 'favicon.ico') {
        // Browsers request it on every first visit; it does not exist and does not count as a miss.
        sendText(request, response, 204, '', ['Cache-Control', 'public, max-age=86400']);
        return;
      }
      if (!notFoundLimiter.allow(address)) {
        refuse(request, response, address, domain);
        return;
      }
      addUnmatched(visit, alias === undefined ? (request.url ?? '/') : `/${alias}`);
      const elsewhere =
        domain.redirect404 === null ? undefined : linkLookup.safeFallbackUrl(domain.redirect404);
      if (elsewhere) sendElsewhere(response, elsewhere);
      else sendPage(request, response, messagePage(textsOf(request, domain), 'notFound', 404));
    },
  };
}

function sendElsewhere(response: ServerResponse, location: string, headers: readonly string[] = []): void {
  response.writeHead(302, [...redirectHeaders(location, 302), ...headers]);
  response.end();
}

export type UnmatchedVisits = ReturnType<typeof unmatchedVisits>;

/** The texts for a visitor, in their language and with a domain's brand. */
export function textsOf(request: IncomingMessage, domain?: Domain) {
  return textsFor(readLanguages(readVisitHeaders(request).acceptLanguage), domain?.brand);
}
