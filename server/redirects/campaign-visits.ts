import type { IncomingMessage, ServerResponse } from 'node:http';
import { sources } from '../clicks/dimensions.ts';
import { fold } from '../fold.ts';
import { sendHead, sendPage } from './answers.ts';
import type { CampaignQueries, RotatorRow } from './campaign-queries.ts';
import type { Directory, Domain } from './directory.ts';
import { readVisitHeaders } from './header-lines.ts';
import { readLanguages } from './languages.ts';
import type { LinkAnswers } from './link-answers.ts';
import { redirectHeaders } from './link-record.ts';
import { listPage } from './pages/campaign-list.ts';
import { messagePage } from './pages/pages.ts';
import { profilePage } from './pages/profile-page.ts';
import { textsFor } from './pages/texts.ts';
import { whoseTurn } from './rotation.ts';
import { readTarget } from './target.ts';
import type { KnownVisitor, Visitors } from './visitors.ts';

interface Options {
  queries: CampaignQueries;
  directory: Directory;
  visitors: Visitors;
  links: Pick<LinkAnswers, 'answer'>;
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
 * Answers the pages of campaigns: rotator `/r/<slug>`, list `/u/<username>/list-<id>` (decisions, section 5), and the
 * profile `/u/<username>` of an account whose `public` is on (contract, "Account").
 */
export function campaignVisits({ queries, directory, visitors, links, baseUrl, now }: Options) {
  /** The visitor, and whether this visit counts: not for bots, HEAD and those who ask not to be. */
  function meet({ request, address }: PathVisit, query: string): { visitor: KnownVisitor; counts: boolean } {
    const headers = readVisitHeaders(request);
    const visitor = visitors.find(address, headers.userAgent, headers.acceptLanguage, now());
    const counts = request.method === 'GET' && !visitor.bot && visitors.isCounted(visitor, headers, query);
    return { visitor, counts };
  }

  function rotate(visit: PathVisit, campaign: RotatorRow, query: string): void {
    const { request, response, domain, address } = visit;
    const { visitor, counts } = meet(visit, query);
    if (request.method === 'POST') {
      const page = messagePage(textsFor(visitor.languages, domain.brand), 'badMethod', 405, [
        'Allow',
        'GET, HEAD',
      ]);
      sendPage(request, response, page);
      return;
    }
    const candidates = queries.rotated(campaign.id, now()).flatMap((row) => {
      const link = directory.findLink(row.domain_id, row.alias);
      return link?.destination ? [{ ...row, link }] : [];
    });
    const weights = candidates.map(({ weight }) => weight);
    const chosen = candidates[whoseTurn(weights, campaign.turns)];
    if (counts) queries.addView(campaign.id, 1);
    if (!chosen) {
      sendPage(request, response, messagePage(textsFor(visitor.languages, domain.brand), 'notFound', 404));
    } else if (chosen.link.passwordHash !== null) {
      // Its form is sent to the address that it came from, and here that would be another link's turn.
      const base = chosen.host === null ? baseUrl() : `https://${chosen.host}`;
      sendHead(response, 302, redirectHeaders(`${base}/${encodeURIComponent(chosen.alias)}`, 302));
    } else {
      const target = { alias: chosen.alias, query, preview: false };
      const { link } = chosen;
      links.answer({ request, response, link, target, address, domain, source: rotatorSource });
    }
  }

  function list(visit: PathVisit, id: number, username: string, query: string): boolean {
    const campaign = queries.findListed(id, username);
    if (!campaign) return false;
    const { request, response } = visit;
    const { visitor, counts } = meet(visit, query);
    const texts = textsFor(visitor.languages, visit.domain.brand);
    if (request.method === 'POST') {
      sendPage(request, response, messagePage(texts, 'badMethod', 405, ['Allow', 'GET, HEAD']));
      return true;
    }
    if (counts) queries.addView(id, 0);
    sendPage(request, response, listPage(texts, campaign, queries.listed(id, now())));
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
      isWrong
        ? messagePage(texts, 'badMethod', 405, ['Allow', 'GET, HEAD'])
        : profilePage(texts, row, queries.publicLists(row.id)),
    );
    return true;
  }

  return {
    /** Answers a path of a campaign; false when it is none, or a page that the visitor may not see. */
    answer(visit: PathVisit): boolean {
      const url = visit.request.url ?? '/';
      if (url.startsWith('/r/')) {
        const target = readTarget(url.slice(2));
        if (!target || target.alias === '' || target.preview) return false;
        const campaign = queries.findRotator(target.alias);
        // On its own domain, and always on the instance's address; never on somebody else's domain.
        const isHere = campaign && (visit.domain.id === 0 || visit.domain.id === campaign.domain_id);
        if (isHere) rotate(visit, campaign, target.query);
        return isHere === true;
      }
      if (url.startsWith('/u/') && visit.domain.id === 0) {
        const [, encoded, digits, query = ''] =
          /^\/u\/([^/?]{1,600})(?:\/list-([1-9]\d{0,14}))?\/?(?:\?(.*))?$/.exec(url) ?? [];
        const username = encoded === undefined ? undefined : readTarget(`/${encoded}`)?.alias;
        if (!username) return false;
        if (digits === undefined) return profile(visit, fold(username));
        return list(visit, Number(digits), fold(username), query);
      }
      return false;
    },
  };
}
