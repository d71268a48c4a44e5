import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { NewClick } from '../clicks/click.ts';
import { dayMs } from '../clicks/dimensions.ts';
import type { Recorder, Verdict } from '../clicks/recorder.ts';
import { sendHead, sendPage } from './answers.ts';
import { readVisitHeaders, type VisitHeaders } from './header-lines.ts';
import type { KnownVisitor } from './known-visitor.ts';
import type { Domain, LinkLookup } from './link-lookup.ts';
import { type LinkRecord, redirectHeaders } from './link-record.ts';
import type { PageTexts } from './pages/page-texts.ts';
import { cardPage, messagePage, type Page, passwordPage, previewPage } from './pages/pages.ts';
import { textsFor } from './pages/texts.ts';
import type { TypePages } from './pages/type-pages.ts';
import type { passwordForms } from './password-form.ts';
import type { RedirectQueries } from './queries.ts';
import { readUtm } from './referrer.ts';
import { type Answer, expired, resolve } from './resolve.ts';
import type { Target } from './target.ts';
import type { UnlockCookies } from './unlock-cookie.ts';
import type { Visitors } from './visitors.ts';

/** A click whose answer waits for the commit of its group. */
export interface WaitingClick extends NewClick {
  request: IncomingMessage;
  response: ServerResponse;
  link: LinkRecord;
  /** What the visit came to. */
  domain: Domain;
  visitor: KnownVisitor;
  status: number;
  headers: readonly string[];
  /** What is shown in place of a redirect. */
  page: Page | undefined;
}

interface Options {
  linkLookup: LinkLookup;
  queries: RedirectQueries;
  visitors: Visitors;
  recorder: Recorder<WaitingClick>;
  forms: ReturnType<typeof passwordForms>;
  unlockCookies: UnlockCookies;
  pages: TypePages;
  now: () => number;
  /** Whether the request came over TLS, to us or to a proxy that we trust. */
  isSecure: (request: IncomingMessage) => boolean;
  /** To be called before a click is added outside of the request's own event-loop turn. */
  scheduleCommit: () => void;
  log: Pick<Logger, 'error'>;
}

/** One request for a link. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  link: LinkRecord;
  target: Target;
  address: string;
  /** The domain that the request came to, which need not be the link's own. */
  domain: Domain;
  /** Number in `sources`: what led to the link. */
  source: number;
}

export interface LinkResponder {
  /** Answers a visit to a link, a form with its password, or a look at where it leads. */
  answer(exchange: Exchange): void;
  /** Answers a click after the commit of its group. */
  finish(click: WaitingClick, verdict: Verdict): void;
}

/** Answers requests for links that exist. */
export function linkResponder(options: Options): LinkResponder {
  const {
    linkLookup,
    queries,
    visitors,
    recorder,
    forms,
    unlockCookies,
    pages,
    now,
    isSecure,
    scheduleCommit,
    log,
  } = options;

  function answer(exchange: Exchange): void {
    const { request, response, link, target, address } = exchange;
    const headers = readVisitHeaders(request);
    const at = now();
    const visitor = visitors.find(address, headers.userAgent, headers.acceptLanguage, at);
    if (link.sameForAll && request.method === 'GET' && !target.preview && exchange.source === 0) {
      take(exchange, visitor, headers, at, link.status, link.sameForAll, null);
      return;
    }
    // What leads here from elsewhere may lead to another link the next time, so nobody may remember it.
    const status = exchange.source === 0 ? link.status : 302;
    const unlocked =
      link.passwordHash !== null && isUnlocked(link.id, link.passwordHash, request.headers.cookie ?? '', at);
    const found = decide(exchange, visitor, headers, at, unlocked);
    if (request.method !== 'POST') {
      if (target.preview && found.kind !== 'archived' && found.kind !== 'early' && found.kind !== 'expired') {
        sendPage(request, response, previewPage(textsOf(exchange, visitor), link));
      } else {
        give(exchange, visitor, headers, at, found, status, []);
      }
    } else if (link.passwordHash === null || target.preview) {
      const texts = textsOf(exchange, visitor);
      sendPage(request, response, messagePage(texts, 'badMethod', 405, ['Allow', 'GET, HEAD']));
    } else if (found.kind === 'password') {
      checkForm(exchange, visitor, headers, link.passwordHash).catch((error) => {
        log.error({ err: error, link: link.id }, 'a password could not be checked');
        sendPage(request, response, messagePage(textsOf(exchange, visitor), 'failed', 500));
      });
    } else {
      // Somebody who is remembered already, or a link that has expired since the form was shown.
      give(exchange, visitor, headers, at, found, 303, []);
    }
  }

  function isUnlocked(id: number, passwordHash: string, cookies: string, at: number): boolean {
    return cookies !== '' && unlockCookies.isValid({ id, passwordHash }, cookies, at);
  }

  function decide(
    { link, target }: Exchange,
    visitor: KnownVisitor,
    visitHeaders: VisitHeaders,
    at: number,
    unlocked: boolean,
  ): Answer {
    return resolve(
      link,
      {
        at,
        visitor,
        query: target.query,
        referrer: () => visitors.findReferrer(visitHeaders.referer),
        unlocked,
        exhausted: link.clickLimit !== null && queries.isUsedUp(link.id),
        isReturning: () => queries.hasVisited(Math.floor(at / dayMs), link.id, visitor.hash),
      },
      linkLookup.safeRedirectUrl,
    );
  }

  /** Writes an answer, or lets it wait for its click. */
  function give(
    exchange: Exchange,
    visitor: KnownVisitor,
    visitHeaders: VisitHeaders,
    at: number,
    found: Answer,
    status: number,
    extra: readonly string[],
  ): void {
    const { request, response, link } = exchange;
    if (found.kind === 'redirect') {
      const plain = redirectHeaders(found.location, status);
      const headers = extra.length === 0 ? plain : [...plain, ...extra];
      const page = link.hasPage
        ? pages.of(link, found.location, {
            texts: textsOf(exchange, visitor),
            isShared: exchange.domain.isShared,
            isSecure: isSecure(request),
            headers: extra,
          })
        : undefined;
      if (request.method !== 'HEAD')
        take(exchange, visitor, visitHeaders, at, status, headers, found.rule, page);
      else if (page) sendPage(request, response, page);
      else sendHead(response, status, headers);
      return;
    }
    const texts = textsOf(exchange, visitor);
    switch (found.kind) {
      case 'expired':
        sendExpired(request, response, texts, found.location);
        return;
      case 'archived':
        sendPage(request, response, messagePage(texts, 'gone', 410));
        return;
      case 'early':
        sendPage(request, response, messagePage(texts, 'early', 404));
        return;
      case 'unsafe':
        sendPage(request, response, messagePage(texts, 'unsafe', 410));
        return;
      case 'card':
        sendPage(request, response, cardPage(texts, link));
        return;
      case 'password':
        sendPage(request, response, passwordPage(texts));
    }
  }

  /** Adds the click to its group; one that is not counted and uses up nothing is answered at once. */
  function take(
    { request, response, link, target, source, domain }: Exchange,
    visitor: KnownVisitor,
    visitHeaders: VisitHeaders,
    at: number,
    status: number,
    headers: readonly string[],
    rule: number | null,
    page?: Page,
  ): void {
    const limited = link.clickLimit !== null;
    const counted = visitors.isCounted(visitor, visitHeaders, target.query);
    if (!counted && !limited) {
      if (page) sendPage(request, response, page);
      else sendHead(response, status, headers);
      return;
    }
    recorder.add({
      linkId: link.id,
      at,
      source,
      rule,
      visitor,
      address: visitors.storedAddress(visitor),
      referrer: visitors.findReferrer(visitHeaders.referer),
      utm: target.query.includes('utm_') ? readUtm(target.query) : link.utm,
      limited,
      counted,
      request,
      response,
      link,
      domain,
      status,
      headers,
      page,
    });
  }

  function finish(click: WaitingClick, verdict: Verdict): void {
    const { request, response, visitor } = click;
    const texts = () => textsOf(click, visitor);
    if (verdict === 'taken') {
      if (click.page) sendPage(request, response, click.page);
      else sendHead(response, click.status, click.headers);
    } else if (verdict === 'exhausted') {
      const found = expired(click.link, linkLookup.safeRedirectUrl);
      sendExpired(request, response, texts(), found.kind === 'expired' ? found.location : undefined);
    } else {
      // A limit that cannot be written down cannot be kept.
      const page = messagePage(texts(), 'unavailable', 503, ['Retry-After', '60']);
      sendPage(request, response, page);
    }
  }

  function sendExpired(
    request: IncomingMessage,
    response: ServerResponse,
    texts: PageTexts,
    location: string | undefined,
  ): void {
    if (location === undefined) sendPage(request, response, messagePage(texts, 'expired', 410));
    else sendHead(response, 302, redirectHeaders(location, 302));
  }

  async function checkForm(
    exchange: Exchange,
    visitor: KnownVisitor,
    visitHeaders: VisitHeaders,
    passwordHash: string,
  ): Promise<void> {
    const { request, response, link, address } = exchange;
    const locked = { id: link.id, passwordHash };
    const outcome = await forms.check(request, locked, address);
    if (response.destroyed || outcome === 'gone') return;
    const texts = textsOf(exchange, visitor);
    if (outcome === 'right') {
      scheduleCommit();
      const at = now();
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
      const cookie = unlockCookies.issue(locked, path, at, isSecure(request));
      const found = decide(exchange, visitor, visitHeaders, at, true);
      give(exchange, visitor, visitHeaders, at, found, 303, ['Set-Cookie', cookie]);
    } else if (outcome === 'wrong') {
      sendPage(request, response, passwordPage(texts, 'wrong'));
    } else if (outcome === 'blocked') {
      const retryAfter = ['Retry-After', String(forms.secondsLeft(locked, address))];
      sendPage(request, response, { ...passwordPage(texts, 'tooMany'), headers: retryAfter });
    } else if (outcome === 'tooLarge') {
      sendPage(request, response, messagePage(texts, 'tooLarge', 413));
    } else {
      sendPage(request, response, messagePage(texts, 'unavailable', 503, ['Retry-After', '5']));
    }
  }

  return { answer, finish };
}

function textsOf({ domain }: { domain: Domain }, visitor: KnownVisitor): PageTexts {
  return textsFor(visitor.languages, domain.brand);
}
