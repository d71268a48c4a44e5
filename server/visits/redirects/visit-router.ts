import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressOf } from '../../platform/http/addresses.ts';
import { isSecure } from '../../platform/http/encryption.ts';
import type { AliasKind } from './alias-queries.ts';
import type { AliasVisit } from './alias-visit.ts';
import { sendPage } from './answers.ts';
import type { PathVisit } from './campaign-visits.ts';
import type { LinkLookup } from './link-lookup.ts';
import type { LinkResponder } from './link-responder.ts';
import type { NotFoundLimiter } from './not-found-limiter.ts';
import { messagePage, wrongMethodPage } from './pages/pages.ts';
import type { RedirectQueries } from './queries.ts';
import { readTarget, type Target } from './target.ts';
import { textsOf, type UnmatchedVisits } from './unmatched-visits.ts';

/** Answers a request, or returns false if it is not responsible. `host` is as in `Redirects.handle`. */
export type PathAnswer = (request: IncomingMessage, response: ServerResponse, host: string) => boolean;

interface Options {
  linkLookup: LinkLookup;
  /** Who has an alias that is not a link's. */
  findHolder: RedirectQueries['findHolder'];
  answerLink: LinkResponder['answer'];
  showBio: (visit: PathVisit, id: number, preview: boolean) => boolean;
  /** Answers of paths with several segments, by the first of them; each says by false that nothing is there. */
  paths: ReadonlyMap<string, (visit: PathVisit) => boolean>;
  unmatched: UnmatchedVisits;
  notFoundLimiter: Pick<NotFoundLimiter, 'refusesAll'>;
  /** The usual spelling of an address, remembered. */
  canonicalAddress: (address: string) => string;
  trustedProxies: () => readonly string[];
}

/** Finds the handler of a visit: by its first segment, or by host → domain and alias → link, or none. */
export function visitRouter(options: Options) {
  const { linkLookup, findHolder, answerLink, showBio, paths, unmatched, trustedProxies } = options;
  const askedFirst: PathAnswer[] = [];
  const mounted = new Map<string, PathAnswer>();
  /** The first characters of mounted segments: most aliases start with another one, which needs no look-up. */
  const beginnings = new Set<number>();
  const aliasAnswers = new Map<AliasKind, (visit: AliasVisit) => void>();

  /** Answers the bare domain, an alias of another kind, a path of several segments, or that nothing is there. */
  function answerWithoutLink(visit: PathVisit, target: Target | undefined): void {
    if (target?.alias === '' && !target.preview) {
      unmatched.answerRoot(visit);
      return;
    }
    const found = (target && answerOther(visit, target)) || answerPath(visit, target);
    if (!found) unmatched.answerUnknown(visit, target?.alias);
  }

  /**
   * Hands a path of several segments to whoever has the first of them; false when there is nobody, or nothing there.
   */
  function answerPath(visit: PathVisit, target: Target | undefined): boolean {
    if (target && !target.alias.includes('/')) return false;
    return paths.get(firstSegment(visit.request.url ?? '/'))?.(visit) === true;
  }

  /** Hands a visit to an alias of another kind to whoever answers for it; false when there is none. */
  function answerOther(visit: PathVisit, { alias, preview }: Target): boolean {
    const { request, response, domain, address } = visit;
    const holder = findHolder(domain.id, alias);
    if (holder?.kind === 'bio') return showBio(visit, holder.id, preview);
    const answerAlias = holder && aliasAnswers.get(holder.kind);
    if (!answerAlias) return false;
    answerAlias({
      request,
      response,
      id: holder.id,
      preview,
      address,
      isSecure: isSecure(request, trustedProxies()),
      brand: domain.brand,
    });
    return true;
  }

  function addressOfVisitor(request: IncomingMessage): string {
    const proxies = trustedProxies();
    if (proxies.length > 0) return addressOf(request, proxies);
    return options.canonicalAddress(request.socket.remoteAddress ?? '');
  }

  return {
    /** Registers a handler that sees every request first, for paths on all hosts. */
    before: (answer: PathAnswer): void => void askedFirst.push(answer),
    /** Gives a function the paths whose first segment is `prefix`; what it does not answer goes on. */
    mount(prefix: string, answer: PathAnswer): void {
      mounted.set(prefix, answer);
      beginnings.add(prefix.charCodeAt(0));
    },
    /** Gives a function the aliases of a kind. */
    answerAlias: (kind: AliasKind, answer: (visit: AliasVisit) => void): void =>
      void aliasAnswers.set(kind, answer),

    /** Whether a handler answers that needs neither domain nor alias. */
    isAnswered(request: IncomingMessage, response: ServerResponse, host: string): boolean {
      for (const answer of askedFirst) if (answer(request, response, host)) return true;
      const url = request.url ?? '/';
      if (!beginnings.has(url.charCodeAt(1))) return false;
      const answer = mounted.get(firstSegment(url));
      return answer?.(request, response, host) === true;
    },

    /** Host → domain, alias → link; what follows, up to the click and the answer, is the link responder's. */
    answer(request: IncomingMessage, response: ServerResponse, host: string): void {
      if (!isAllowed(request.method)) {
        sendPage(request, response, wrongMethodPage(textsOf(request), 'GET, HEAD, POST'));
        return;
      }
      const address = addressOfVisitor(request);
      if (options.notFoundLimiter.refusesAll(address)) {
        unmatched.refuse(request, response, address);
        return;
      }
      const domain = linkLookup.findDomain(host);
      if (!domain) {
        sendPage(request, response, messagePage(textsOf(request), 'unknownHost', 404));
        return;
      }
      const target = readTarget(request.url ?? '/');
      const link = target && target.alias !== '' ? linkLookup.findLink(domain.id, target.alias) : undefined;
      if (target && link) answerLink({ request, response, link, target, address, domain, source: 0 });
      else answerWithoutLink({ request, response, domain, address }, target);
    },
  };
}

/** The first segment of a request's path. */
function firstSegment(url: string): string {
  let end = 1;
  for (; end < url.length; end += 1) {
    const code = url.charCodeAt(end);
    if (code === 47 || code === 63) break;
  }
  return url.slice(1, end);
}

function isAllowed(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'POST';
}
