import type { IncomingMessage, ServerResponse } from 'node:http';
import { turnCache } from '../../platform/concurrency/turn-cache.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { readLanguages } from '../../platform/text/languages.ts';
import { sources } from '../clicks/dimensions.ts';
import type { Recorder } from '../clicks/recorder.ts';
import { sendHead, sendPage, sendPublicPage } from './answers.ts';
import type { CampaignQueries, RotatorRow } from './campaign-queries.ts';
import { readVisitHeaders } from './header-lines.ts';
import type { KnownVisitor } from './known-visitor.ts';
import type { Domain, LinkLookup } from './link-lookup.ts';
import { redirectHeaders } from './link-record.ts';
import type { LinkResponder, WaitingClick } from './link-responder.ts';
import { listPage } from './pages/campaign-list.ts';
import { messagePage, wrongMethodPage } from './pages/pages.ts';
import { profilePage } from './pages/profile-page.ts';
import { textsFor } from './pages/texts.ts';
import { rotators } from './rotators.ts';
import { aliasPath } from './short-url.ts';
import { readTarget } from './target.ts';
import type { Visitors } from './visitors.ts';

interface Options {
  queries: CampaignQueries;
  linkLookup: LinkLookup;
  visitors: Visitors;
  linkResponder: Pick<LinkResponder, 'answer'>;
  recorder: Pick<Recorder<WaitingClick>, 'addCount'>;
  /** Runs a part of an exchange; errors are answered with a page. */
  guard: (request: IncomingMessage, response: ServerResponse, work: () => void) => void;
  baseUrl: () => string;
  now: () => number;
}

/** A request for a path of more than one segment. */
export interface PathVisit {
  request: IncomingMessage;
  response: ServerResponse;
  domain: Domain;
  address: string;
}

const rotatorSource = sources.indexOf('rotator');

/**
 * Answers the pages of campaigns: rotator `/r/<slug>`, list `/u/<username>/list-<id>` (decision 0015), and the
 * profile `/u/<username>` of an account whose `public` is on (contract, "Account").
 */
export function campaignVisits(options: Options) {
  const { queries, linkLookup, visitors, linkResponder, recorder, guard, baseUrl, now } = options;
  /** Rotator positions that are not in the database (yet): those of this turn, and those that could not be written. */
  const turnsAhead = boundedCounts(10_000);
  const links = rotators({ queries, linkLookup });
  /** Visits that arrive together share a list, which may be long. */
  const pages = turnCache<ReturnType<typeof listPage>>();

  /** The visitor, and whether this visit counts: not for bots, HEAD, or visitors who opted out. */
  function visitorOf(
    { request, address }: PathVisit,
    query: string,
    userId: number,
  ): { visitor: KnownVisitor; counts: boolean } {
    const headers = readVisitHeaders(request);
    const visitor = visitors.find(address, headers.userAgent, headers.acceptLanguage, now());
    const counts =
      request.method === 'GET' &&
      !visitor.bot &&
      visitors.isCounted(visitor, headers, query, visitors.omissions(userId));
    return { visitor, counts };
  }

  /** Counts a view and advances a rotator with the clicks of this turn, then sends the response. */
  function countTurn({ request, response }: PathVisit, id: number, answer: () => void): void {
    turnsAhead.add(id, 1);
    recorder.addCount({
      write: () => queries.addView(id, 1),
      answer(written) {
        // On a full disk the rotator still advances.
        if (written) turnsAhead.add(id, -1);
        guard(request, response, answer);
      },
    });
  }

  function rotate(visit: PathVisit, campaign: RotatorRow, query: string): void {
    const { request, response, domain, address } = visit;
    const { visitor, counts } = visitorOf(visit, query, campaign.user_id);
    if (request.method === 'POST') {
      sendPage(request, response, wrongMethodPage(textsFor(visitor.languages, domain.brand)));
      return;
    }
    const chosen = links.choose(campaign, campaign.turns + turnsAhead.of(campaign.id), now());
    // A click of the chosen link waits for the same commit, which also triggers its response.
    const view = (answer: () => void) => {
      if (counts) countTurn(visit, campaign.id, answer);
      else answer();
    };
    if (!chosen) {
      const page = messagePage(textsFor(visitor.languages, domain.brand), 'notFound', 404);
      view(() => sendPage(request, response, page));
    } else if (chosen.link.passwordHash !== null) {
      // Its form is sent to its current URL, where the rotator would choose another link.
      const base = chosen.host === null ? baseUrl() : `https://${chosen.host}`;
      const location = `${base}/${aliasPath(chosen.alias)}`;
      view(() => sendHead(response, 302, redirectHeaders(location, 302)));
    } else {
      view(() => {});
      const target = { alias: chosen.alias, query, preview: false };
      const { link } = chosen;
      linkResponder.answer({ request, response, link, target, address, domain, source: rotatorSource });
    }
  }

  function list(visit: PathVisit, id: number, username: string, query: string): boolean {
    const campaign = queries.findListed(id, username);
    if (!campaign) return false;
    const { request, response } = visit;
    const { visitor, counts } = visitorOf(visit, query, campaign.user_id);
    const texts = textsFor(visitor.languages, visit.domain.brand);
    if (request.method === 'POST') {
      sendPage(request, response, wrongMethodPage(texts));
      return true;
    }
    const page = pages(`${id} ${texts.language} ${visit.domain.id}`, () =>
      listPage(texts, campaign, queries.listed(id, now())),
    );
    const send = () => sendPublicPage(request, response, page);
    if (!counts) send();
    else
      recorder.addCount({
        write: () => queries.addView(id, 0),
        answer: () => guard(request, response, send),
      });
    return true;
  }

  function profile(visit: PathVisit, username: string): boolean {
    const row = queries.findProfile(username);
    if (!row) return false;
    const { request, response, domain } = visit;
    const { acceptLanguage } = readVisitHeaders(request);
    const texts = textsFor(readLanguages(acceptLanguage), domain.brand);
    const isWrong = request.method === 'POST';
    sendPage(
      request,
      response,
      isWrong ? wrongMethodPage(texts) : profilePage(texts, row, queries.publicLists(row.id)),
    );
    return true;
  }

  return {
    /** Handles a campaign path; false for other paths, and for a page that the visitor may not see. */
    answer(visit: PathVisit): boolean {
      const url = visit.request.url ?? '/';
      if (url.startsWith('/r/')) {
        const target = readTarget(url.slice(2));
        if (!target || target.alias === '' || target.preview) return false;
        const campaign = queries.findRotator(target.alias);
        // On its own domain, and always on the instance's host; never on someone else's domain.
        const isHere = campaign && (visit.domain.id === 0 || visit.domain.id === campaign.domain_id);
        if (isHere) rotate(visit, campaign, target.query);
        return isHere === true;
      }
      if (url.startsWith('/u/') && visit.domain.id === 0) {
        const [, encoded, digits, query = ''] =
          /^\/u\/([^/?]{1,600})(?:\/list-([1-9]\d{0,14}))?\/?(?:\?(.*))?$/.exec(url) ?? [];
        const username = encoded === undefined ? undefined : readTarget(`/${encoded}`)?.alias;
        if (!username) return false;
        if (digits === undefined) return profile(visit, caseFold(username));
        return list(visit, Number(digits), caseFold(username), query);
      }
      return false;
    },
  };
}

/** Small counters by id; a limited number of ids, oldest evicted first. */
function boundedCounts(most: number) {
  const sums = new Map<number, number>();
  return {
    of: (id: number): number => sums.get(id) ?? 0,
    add(id: number, change: 1 | -1): void {
      const sum = (sums.get(id) ?? 0) + change;
      if (sum <= 0) sums.delete(id);
      else sums.set(id, sum);
      const oldest = sums.size > most ? sums.keys().next().value : undefined;
      if (oldest !== undefined) sums.delete(oldest);
    },
  };
}
