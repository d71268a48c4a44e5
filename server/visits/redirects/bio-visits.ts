import type { IncomingMessage, ServerResponse } from 'node:http';
import { sources } from '../clicks/dimensions.ts';
import { knowsVisitors, nobody } from '../clicks/omissions.ts';
import type { Recorder } from '../clicks/recorder.ts';
import { sendHead, sendPage, sendPublicPage, sendText } from './answers.ts';
import { contentOf, viewOf } from './bio-content.ts';
import { bioForms } from './bio-forms.ts';
import type { BioRow, BioVisitQueries, ShownFile } from './bio-queries.ts';
import type { PathVisit } from './campaign-visits.ts';
import type { FormQueries } from './form-queries.ts';
import { readVisitHeaders } from './header-lines.ts';
import type { Domain, LinkLookup } from './link-lookup.ts';
import { redirectHeaders } from './link-record.ts';
import type { LinkResponder, WaitingClick } from './link-responder.ts';
import { isShared, type StoredBlock } from './pages/bio-blocks.ts';
import { bioPage } from './pages/bio-page.ts';
import { messagePage, wrongMethodPage } from './pages/pages.ts';
import { textsFor } from './pages/texts.ts';
import { vcardText } from './pages/vcard.ts';
import { aliasPath } from './short-url.ts';
import type { Visitors } from './visitors.ts';

interface Options {
  queries: BioVisitQueries;
  kept: FormQueries;
  recorder: Pick<Recorder<WaitingClick>, 'addCount'>;
  /** Runs a part of an exchange; errors are answered with a page. */
  guard: (request: IncomingMessage, response: ServerResponse, work: () => void) => void;
  linkLookup: Pick<LinkLookup, 'findLink' | 'safeRedirectUrl'>;
  visitors: Visitors;
  linkResponder: Pick<LinkResponder, 'answer'>;
  /** Renders the QR code of a URL; false if there is no renderer. */
  drawCode: (visit: Pick<PathVisit, 'request' | 'response' | 'address'>, text: string) => boolean;
  baseUrl: () => string;
  now: () => number;
  monotonic: () => number;
  nextTurn: () => Promise<void>;
}

export interface BioVisits {
  /** Answers a bio page; false if it does not exist. `preview` counts nothing (`/alias+`). */
  show(visit: PathVisit, id: number, preview: boolean): boolean;
  /**
   * Answers `/bio/<page>/<block>`: counts, and redirects or accepts a form; with `.svg`, returns the QR code of a
   * block that can be shared. False for every other path.
   */
  follow(visit: PathVisit): boolean;
}

/** How a block of a page is followed. */
interface Way {
  go: (visit: PathVisit, query: string) => void;
  /** Whether it leads to a link whose click is counted too. */
  isOwnLink: boolean;
}

const bioSource = sources.indexOf('bio');

/** Answers bio pages, and the URLs that count clicks on their blocks (decision 0018). */
export function bioVisits(options: Options): BioVisits {
  const { queries, linkLookup, visitors, linkResponder, recorder, guard, baseUrl, now } = options;
  const { kept, monotonic, nextTurn } = options;
  const takeMessage = bioForms({ kept, now, monotonic, nextTurn });

  /** The visitor, and whether this visit counts: not for bots, HEAD, or visitors who opted out. */
  function meet({ request, address }: PathVisit, query: string, userId: number) {
    const headers = readVisitHeaders(request);
    const visitor = visitors.find(address, headers.userAgent, headers.acceptLanguage, now());
    const omissions = visitors.omissions(userId);
    const counts =
      request.method === 'GET' && !visitor.bot && visitors.isCounted(visitor, headers, query, omissions);
    return { visitor, counts, hash: knowsVisitors(omissions) ? visitor.hash : nobody };
  }

  /** Sends a response after its count was committed with the clicks of this turn. */
  function give({ request, response }: PathVisit, write: (() => void) | undefined, answer: () => void): void {
    if (write) recorder.addCount({ write, answer: () => guard(request, response, answer) });
    else answer();
  }

  function show(visit: PathVisit, id: number, preview: boolean): boolean {
    const row = queries.find(id);
    if (!row) return false;
    const { request, response, domain } = visit;
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
    const { visitor, counts, hash } = meet(visit, query, row.user_id);
    const texts = textsFor(visitor.languages, visit.domain.brand);
    if (request.method === 'POST') {
      sendPage(request, response, wrongMethodPage(texts));
      return true;
    }
    const view = viewOf(contentOf(row), queries, {
      userId: row.user_id,
      pictureAddress: (token) => `/img/${token}`,
      counted: (block, part) => addressOf(row.id, block, part, preview),
      shared: (block, part) => ({
        address: sharedAddress(row, block, part),
        code: `${addressOf(row.id, block.id, part, false)}.svg`,
      }),
    });
    const base = baseOf(row.host, baseUrl());
    const address = `${base}/${aliasPath(row.alias)}`;
    const page = bioPage(view, { texts, address, base, path, isShared: domain.isShared });
    const at = now();
    const counted = counts && !preview ? () => queries.countView(row.id, hash, at) : undefined;
    give(visit, counted, () => sendPublicPage(request, response, page));
    return true;
  }

  /** The URL that visitors share of a block or a part of it: the owner's own short link, or the counting URL. */
  function sharedAddress(row: BioRow, block: StoredBlock, part?: number): string {
    const id = block.type === 'link' ? block.link : undefined;
    const target = id === undefined ? undefined : queries.links(row.user_id, [id]).get(id);
    if (target) return `${baseOf(target.host, baseUrl())}/${aliasPath(target.alias)}`;
    // Opened by other programs, so we cannot redirect there.
    const url = goalOf(block, part);
    if (url && /^(mailto|tel):/.test(url)) return url;
    return `${baseOf(row.host, baseUrl())}${addressOf(row.id, block.id, part, false)}`;
  }

  function follow(visit: PathVisit): boolean {
    const { request, domain } = visit;
    const match = /^\/bio\/([1-9]\d{0,14})\/([1-9]\d{0,8})(?:\/([1-9]\d?))?(\.svg)?(?:\?(.*))?$/.exec(
      request.url ?? '',
    );
    if (!match) return false;
    const row = queries.find(Number(match[1]));
    if (!row || !isHere(row, domain)) return false;
    const blocks = contentOf(row).blocks;
    const block = blocks.find(({ id, enabled }) => id === Number(match[2]) && enabled);
    if (!block) return false;
    const part = Number(match[3] ?? 0);
    if (match[4]) {
      const hasPart = block.type === 'socials' ? block.items[part - 1] !== undefined : part === 0;
      const isDrawn = isShared(block) && hasPart && request.method !== 'POST';
      return isDrawn && options.drawCode(visit, sharedAddress(row, block, part || undefined));
    }
    return answer(visit, row, block, part, match[5] ?? '');
  }

  function answer(visit: PathVisit, row: BioRow, block: StoredBlock, part: number, query: string): boolean {
    const { request, response } = visit;
    const { visitor, counts } = meet(visit, query, row.user_id);
    const texts = textsFor(visitor.languages, visit.domain.brand);
    if (block.type === 'contact' && request.method === 'POST' && part === 0) {
      takeMessage(visit, { bio: row.id, block: block.id }, texts);
      return true;
    }
    const way = wayOf(row, block, part);
    if (!way) return false;
    if (request.method === 'POST') {
      sendPage(request, response, wrongMethodPage(texts));
      return true;
    }
    const at = now();
    const click = counts ? () => queries.countClick(row.id, block.id, at) : undefined;
    if (way.isOwnLink) {
      // Its own click waits for the same commit, which also triggers its response.
      give(visit, click, () => {});
      way.go(visit, query);
    } else {
      give(visit, click, () => way.go(visit, query));
    }
    return true;
  }

  /** How a block is followed; undefined if it leads nowhere. */
  function wayOf(row: BioRow, block: StoredBlock, part: number): Way | undefined {
    const go = elsewhere(row, block, part);
    if (go) return { go, isOwnLink: false };
    return block.type === 'link' && part === 0 ? toLink(row, block.link) : undefined;
  }

  /** How a link of the page's owner is followed; undefined if it does not exist (any more). */
  function toLink(row: BioRow, id: number | undefined): Way | undefined {
    const target = id === undefined ? undefined : queries.links(row.user_id, [id]).get(id);
    const link = target && linkLookup.findLink(target.domain_id, target.alias);
    if (!target || !link) return undefined;
    if (link.passwordHash !== null) {
      // Its form is sent to its current URL, which must be the link's own.
      const address = `${baseOf(target.host, baseUrl())}/${aliasPath(target.alias)}`;
      return { go: ({ response }) => sendTo(response, address), isOwnLink: false };
    }
    return {
      go({ request, response, domain, address }, query) {
        const goal = { alias: target.alias, query, preview: false };
        linkResponder.answer({ request, response, link, target: goal, address, domain, source: bioSource });
      },
      isOwnLink: true,
    };
  }

  /** How anything other than the owner's link is followed. */
  function elsewhere(row: BioRow, block: StoredBlock, part: number): Way['go'] | undefined {
    if (block.type === 'socials') {
      const entry = block.items[part - 1];
      return entry && ((visit) => send(visit, entry.url));
    }
    if (part !== 0) return undefined;
    switch (block.type) {
      case 'link':
        return block.link === undefined ? (visit) => send(visit, block.url) : undefined;
      case 'image': {
        const { url } = block;
        return url ? (visit) => send(visit, url) : undefined;
      }
      case 'video':
        return (visit) => send(visit, block.url);
      case 'vcard':
        return ({ request, response }) => sendCard(request, response, vcardText(block));
      case 'file': {
        const file = queries.files(row.user_id, [block.file]).get(block.file);
        return file && (({ response }) => sendTo(response, fileAddress(file)));
      }
      default:
        return undefined;
    }
  }

  function fileAddress({ host, alias }: ShownFile): string {
    return `${baseOf(host, baseUrl())}/${aliasPath(alias)}`;
  }

  function send(visit: PathVisit, url: string): void {
    const location = linkLookup.safeRedirectUrl(url);
    if (location !== undefined) {
      sendTo(visit.response, location);
      return;
    }
    const texts = textsFor(meet(visit, '', 0).visitor.languages, visit.domain.brand);
    sendPage(visit.request, visit.response, messagePage(texts, 'unsafe', 410));
  }

  return { show, follow };
}

/** The URL of a block, or of a part of it; undefined if it has none. */
function goalOf(block: StoredBlock, part = 0): string | null | undefined {
  if (block.type === 'socials') return block.items[part - 1]?.url;
  return block.type === 'link' || block.type === 'image' ? block.url : undefined;
}

/** A page answers at its alias, and on domains that show it. */
function isHere(row: BioRow, domain: Domain): boolean {
  return row.domain_id === domain.id || domain.bioId === row.id;
}

function addressOf(id: number, block: number, part: number | undefined, preview: boolean): string {
  return `/bio/${id}/${block}${part === undefined ? '' : `/${part}`}${preview ? '?notrack' : ''}`;
}

function baseOf(host: string | null, baseUrl: string): string {
  return host === null ? baseUrl : `https://${host}`;
}

function sendTo(response: ServerResponse, location: string): void {
  sendHead(response, 302, redirectHeaders(location, 302));
}

function sendCard(request: IncomingMessage, response: ServerResponse, card: string): void {
  sendText(request, response, 200, card, [
    ...['Content-Type', 'text/vcard; charset=utf-8'],
    ...['Content-Disposition', 'attachment; filename="contact.vcf"'],
    ...['Cache-Control', 'private, no-store', 'X-Content-Type-Options', 'nosniff'],
    ...['Content-Security-Policy', "default-src 'none'; sandbox"],
  ]);
}
