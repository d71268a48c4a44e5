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

/** Answers a request, or returns false if it does not handle it. `host` is as in `Redirects.handle`. */
export type PathAnswer = (request: IncomingMessage, response: ServerResponse, host: string) => boolean;

interface Options {
  linkLookup: LinkLookup;
  /** The holder of an alias that is not a link's. */
  findHolder: RedirectQueries['findHolder'];
  answerLink: LinkResponder['answer'];
  showBio: (visit: PathVisit, id: number, preview: boolean) => boolean;
  /** Handlers of paths with several segments, by the first segment; false means 404. */
  paths: ReadonlyMap<string, (visit: PathVisit) => boolean>;
  unmatched: UnmatchedVisits;
  notFoundLimiter: Pick<NotFoundLimiter, 'refusesAll'>;
  trustedProxies: () => readonly string[];
}

/** Finds the handler of a visit, if any: by its first segment, or by host → domain and alias → link. */
export function visitRouter(options: Options) {
  const { linkLookup, findHolder, answerLink, showBio, paths, unmatched, trustedProxies } = options;
  const askedFirst: PathAnswer[] = [];
  const mounted = new Map<string, PathAnswer>();
  /** The first characters of mounted segments: most aliases start differently and need no look-up. */
  const beginnings = new Set<number>();
  const aliasAnswers = new Map<AliasKind, (visit: AliasVisit) => void>();

  /** Answers the bare domain, an alias of another kind, a path of several segments, or with a 404. */
  function answerWithoutLink(visit: PathVisit, target: Target | undefined): void {
    if (target?.alias === '' && !target.preview) {
      unmatched.answerRoot(visit);
      return;
    }
    const found = (target && answerOther(visit, target)) || answerPath(visit, target);
    if (!found) unmatched.answerUnknown(visit, target?.alias);
  }

  /**
   * Passes a path of several segments to the handler of the first; false if there is none, or it finds nothing.
   */
  function answerPath(visit: PathVisit, target: Target | undefined): boolean {
    if (target && !target.alias.includes('/')) return false;
    return paths.get(firstSegment(visit.request.url ?? '/'))?.(visit) === true;
  }

  /** Passes a visit to an alias of another kind to its handler; false if there is none. */
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

  return {
    /** Registers a handler that sees every request first, for paths on all hosts. */
    before: (answer: PathAnswer): void => void askedFirst.push(answer),
    /** Registers a handler for paths whose first segment is `prefix`; paths that it does not answer are looked up. */
    mount(prefix: string, answer: PathAnswer): void {
      mounted.set(prefix, answer);
      beginnings.add(prefix.charCodeAt(0));
    },
    /** Registers a handler for aliases of a kind. */
    answerAlias: (kind: AliasKind, answer: (visit: AliasVisit) => void): void =>
      void aliasAnswers.set(kind, answer),

    /** Whether a handler that needs neither domain nor alias has answered. */
    isAnswered(request: IncomingMessage, response: ServerResponse, host: string): boolean {
      for (const answer of askedFirst) if (answer(request, response, host)) return true;
      const url = request.url ?? '/';
      if (!beginnings.has(url.charCodeAt(1))) return false;
      const answer = mounted.get(firstSegment(url));
      return answer?.(request, response, host) === true;
    },

    /** Host → domain, alias → link; the link responder does the rest. */
    answer(request: IncomingMessage, response: ServerResponse, host: string): void {
      if (!isAllowed(request.method)) {
        sendPage(request, response, wrongMethodPage(textsOf(request), 'GET, HEAD, POST'));
        return;
      }
      const address = addressOf(request, trustedProxies());
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
