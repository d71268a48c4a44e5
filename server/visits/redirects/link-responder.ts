import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { NewClick } from '../clicks/click.ts';
import { dayMs } from '../clicks/dimensions.ts';
import { leaveOut } from '../clicks/omissions.ts';
import type { Recorder, Verdict } from '../clicks/recorder.ts';
import { sendHead, sendPage } from './answers.ts';
import { readVisitHeaders, type VisitHeaders } from './header-lines.ts';
import type { KnownVisitor } from './known-visitor.ts';
import type { Domain, LinkLookup } from './link-lookup.ts';
import { type LinkRecord, redirectHeaders } from './link-record.ts';
import { type LinkReply, sendExpired, sendRefusal, sendReply, textsOf } from './link-reply.ts';
import { browserPage } from './pages/browser-page.ts';
import { messagePage, type Page, passwordProblemPage, previewPage, wrongMethodPage } from './pages/pages.ts';
import type { TypePages } from './pages/type-pages.ts';
import type { passwordForms } from './password-form.ts';
import { type Preview, previewOf } from './preview.ts';
import type { RedirectQueries } from './queries.ts';
import { clickUtmOf } from './referrer.ts';
import { type Answer, expired, resolve } from './resolve.ts';
import type { CountedLimit, SharedLimits } from './shared-limits.ts';
import type { Target } from './target.ts';
import type { UnlockCookies } from './unlock-cookie.ts';
import type { Visitors } from './visitors.ts';

/** A click whose response waits for its group's commit. */
export interface WaitingClick extends NewClick {
  request: IncomingMessage;
  response: ServerResponse;
  link: LinkRecord;
  /** The result of the visit. */
  domain: Domain;
  visitor: KnownVisitor;
  reply: LinkReply;
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
  /** Whether the request used TLS, to us or to a trusted proxy. */
  isSecure: (request: IncomingMessage) => boolean;
  /** Counts limited links; undefined if this machine is the only one. */
  sharedLimits: () => SharedLimits | undefined;
  /** Call it before adding a click outside the request's own event-loop turn. */
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
  /** The requested domain, which may differ from the link's own. */
  domain: Domain;
  /** Number in `sources`: how the visitor reached the link. */
  source: number;
}

/** The visitor, the time, and what they sent; determined once per request. */
interface VisitContext {
  visitor: KnownVisitor;
  headers: VisitHeaders;
  at: number;
}

export interface LinkResponder {
  /** Answers a visit to a link, its password form, or its preview. */
  answer(exchange: Exchange): void;
  /** Answers a click after its group's commit. */
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
    sharedLimits,
    scheduleCommit,
    log,
  } = options;

  /** Resolve, record, respond: `finish` answers a click after its group's commit. */
  function answer(exchange: Exchange): void {
    const { request, link, target } = exchange;
    const context = contextOf(exchange);
    if (link.sameForAll && request.method === 'GET' && !target.preview && exchange.source === 0) {
      const { status, sameForAll: headers } = link;
      record(exchange, context, { status, headers, rule: null, page: undefined });
    } else if (request.method === 'POST') {
      answerForm(exchange, context);
    } else {
      const found = resolved(exchange, context, isUnlocked(exchange, context));
      const preview = target.preview
        ? previewOf(link, found, context.at, linkLookup.safeRedirectUrl)
        : undefined;
      if (preview) showPreview(exchange, context, preview);
      // Rotators and similar may lead to another link next time, so this must not be cached.
      else respond(exchange, context, found, exchange.source === 0 ? link.status : 302);
    }
  }

  function contextOf({ request, address }: Exchange): VisitContext {
    const headers = readVisitHeaders(request);
    const at = now();
    return { visitor: visitors.find(address, headers.userAgent, headers.acceptLanguage, at), headers, at };
  }

  function resolved({ link, target }: Exchange, context: VisitContext, unlocked: boolean): Answer {
    const { visitor, headers, at } = context;
    return resolve(
      link,
      {
        at,
        visitor,
        query: target.query,
        referrer: () => visitors.findReferrer(headers.referer),
        unlocked,
        exhausted: isUsedUp(link),
        isReturning: () => queries.hasVisited(Math.floor(at / dayMs), link.id, visitor.hash),
      },
      linkLookup.safeRedirectUrl,
    );
  }

  function isUsedUp({ id, limit }: LinkRecord): boolean {
    if (!limit) return false;
    return queries.isUsedUp(id) || sharedLimits()?.isUsedUp(limit) === true;
  }

  function isUnlocked({ request, link: { id, passwordHash } }: Exchange, { at }: VisitContext): boolean {
    const cookies = passwordHash === null ? '' : (request.headers.cookie ?? '');
    return (
      passwordHash !== null && cookies !== '' && unlockCookies.isValid({ id, passwordHash }, cookies, at)
    );
  }

  function showPreview(exchange: Exchange, context: VisitContext, preview: Preview): void {
    const { request, response, link } = exchange;
    sendPage(request, response, previewPage(textsOf(exchange, context), link, preview));
  }

  /** Answers a visit, or lets it wait for its click. `extra` are additional headers. */
  function respond(
    exchange: Exchange,
    context: VisitContext,
    found: Answer,
    status: number,
    extra: readonly string[] = [],
  ): void {
    const { request, response, link } = exchange;
    if (found.kind !== 'redirect') {
      sendRefusal(request, response, found, textsOf(exchange, context), link);
      return;
    }
    const own = redirectHeaders(found.location, status);
    const headers = extra.length === 0 ? own : [...own, ...extra];
    const page = pageOf(exchange, context, found, extra);
    if (request.method !== 'HEAD') record(exchange, context, { status, headers, rule: found.rule, page });
    else if (page) sendPage(request, response, page);
    else sendHead(response, status, headers);
  }

  /** The page shown instead of a redirect. */
  function pageOf(
    exchange: Exchange,
    context: VisitContext,
    { location, offersBrowser }: Answer & { kind: 'redirect' },
    headers: readonly string[],
  ): Page | undefined {
    const { request, link, domain } = exchange;
    if (offersBrowser) {
      return { ...browserPage(textsOf(exchange, context), location, context.visitor.os), headers };
    }
    if (!link.hasPage) return undefined;
    const texts = textsOf(exchange, context);
    return pages.of(link, location, {
      texts,
      isShared: domain.isShared,
      isSecure: isSecure(request),
      headers,
    });
  }

  /** Adds the click to its group; one that is not counted and uses no limit is answered immediately. */
  function record(exchange: Exchange, context: VisitContext, reply: LinkReply): void {
    const { request, response, link, target, source, domain } = exchange;
    const { visitor, headers, at } = context;
    const limited = link.limit !== undefined;
    const omissions = visitors.omissions(link.userId);
    const counted = visitors.isCounted(visitor, headers, target.query, omissions);
    if (!counted && !limited) {
      sendReply(request, response, reply);
      return;
    }
    const click: WaitingClick = {
      linkId: link.id,
      at,
      source,
      rule: reply.rule,
      visitor,
      address: visitors.storedAddress(visitor),
      referrer: visitors.findReferrer(headers.referer),
      utm:
        target.query === ''
          ? link.utm
          : clickUtmOf(target.query, link.utm, linkLookup.parametersOf(link.userId)),
      limited,
      counted,
      request,
      response,
      link,
      domain,
      reply,
    };
    leaveOut(click, omissions);
    const shared = link.limit && sharedLimits();
    if (!link.limit || !shared) recorder.add(click);
    else consume(click, shared, link.limit).catch((error) => fail(error, exchange, context));
  }

  /** Answers errors after the event-loop turn of the request, where nothing else would handle them. */
  function fail(error: unknown, exchange: Exchange, context: VisitContext): void {
    const { request, response, link } = exchange;
    log.error({ err: error, link: link.id }, 'a visit to a link could not be answered');
    if (response.headersSent) response.destroy();
    else sendPage(request, response, messagePage(textsOf(exchange, context), 'failed', 500));
  }

  /** Takes one of a link's remaining clicks, shared by all machines; then it is written like any other. */
  async function consume(click: WaitingClick, shared: SharedLimits, limit: CountedLimit): Promise<void> {
    const verdict = await shared.consume(limit);
    if (verdict === 'allowed') {
      scheduleCommit();
      recorder.add({ ...click, limited: false });
    } else {
      finish(click, verdict);
    }
  }

  function finish(click: WaitingClick, verdict: Verdict): void {
    const { request, response } = click;
    const texts = () => textsOf(click, click);
    if (verdict === 'allowed') {
      sendReply(request, response, click.reply);
    } else if (verdict === 'exhausted') {
      const found = expired(click.link);
      sendExpired(request, response, texts(), found.kind === 'expired' ? found.location : undefined);
    } else {
      // A limit that cannot be written cannot be enforced.
      const page = messagePage(texts(), 'unavailable', 503, ['Retry-After', '60']);
      sendPage(request, response, page);
    }
  }

  /** Answers the form of a link with a password. */
  function answerForm(exchange: Exchange, context: VisitContext): void {
    const { request, response, link, target } = exchange;
    if (link.passwordHash === null || target.preview) {
      const texts = textsOf(exchange, context);
      sendPage(request, response, wrongMethodPage(texts));
      return;
    }
    const found = resolved(exchange, context, isUnlocked(exchange, context));
    if (found.kind !== 'password') {
      // The visitor is already unlocked, or the link has expired since the form was shown.
      respond(exchange, context, found, 303);
      return;
    }
    checkForm(exchange, context, link.passwordHash).catch((error) => fail(error, exchange, context));
  }

  /** Checks the password of a form, and redirects if it is correct. */
  async function checkForm(exchange: Exchange, context: VisitContext, passwordHash: string): Promise<void> {
    const { request, response, link, address } = exchange;
    const locked = { id: link.id, passwordHash };
    const outcome = await forms.check(request, locked, address);
    if (response.destroyed || outcome === 'gone') return;
    if (outcome !== 'right') {
      const page = passwordProblemPage(
        textsOf(exchange, context),
        outcome,
        forms.secondsLeft(locked, address),
      );
      sendPage(request, response, page);
      return;
    }
    scheduleCommit();
    const at = now();
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const cookie = unlockCookies.issue(locked, path, at, isSecure(request));
    const later = { ...context, at };
    respond(exchange, later, resolved(exchange, later, true), 303, ['Set-Cookie', cookie]);
  }

  return { answer, finish };
}
