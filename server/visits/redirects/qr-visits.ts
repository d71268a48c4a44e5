import type { IncomingMessage, ServerResponse } from 'node:http';
import { sources } from '../clicks/dimensions.ts';
import type { Recorder } from '../clicks/recorder.ts';
import { sendHead, sendPage } from './answers.ts';
import type { PathVisit } from './campaign-visits.ts';
import { readVisitHeaders } from './header-lines.ts';
import type { KnownVisitor } from './known-visitor.ts';
import type { LinkLookup } from './link-lookup.ts';
import { redirectHeaders } from './link-record.ts';
import type { LinkResponder, WaitingClick } from './link-responder.ts';
import type { PageTexts } from './pages/page-texts.ts';
import { messagePage, type Page, wrongMethodPage } from './pages/pages.ts';
import { textsFor } from './pages/texts.ts';
import type { QrVisitQueries, ScannedRow } from './qr-queries.ts';
import { readTarget, type Target } from './target.ts';
import type { Visitors } from './visitors.ts';

/** The responses of the QR code feature; redirects and counting are handled here. */
export interface QrAnswers {
  /**
   * Sends a rendering or file of a code: png, jpg or jpeg, svg, pdf, vcf, ics. False if it has none of that name.
   */
  file(
    exchange: { request: IncomingMessage; response: ServerResponse; address: string },
    id: number,
    name: string,
    query: string,
  ): boolean;
  /** Responds with the QR code of a text as SVG, in the default style. */
  draw(exchange: { request: IncomingMessage; response: ServerResponse; address: string }, text: string): void;
  /** The page with a code's content; undefined if the code was deleted meanwhile. */
  page(id: number, texts: PageTexts): Page | undefined;
  /** The preview of a code (`/qr/<alias>+`). */
  preview(id: number, texts: PageTexts): Page | undefined;
  /** Called after a scan is committed. */
  scanned(userId: number, id: number): void;
}

interface Options {
  queries: QrVisitQueries;
  linkLookup: LinkLookup;
  visitors: Visitors;
  linkResponder: Pick<LinkResponder, 'answer'>;
  recorder: Pick<Recorder<WaitingClick>, 'addCount'>;
  answers: QrAnswers;
  /** Runs a part of an exchange; errors are answered with a page. */
  guard: (request: IncomingMessage, response: ServerResponse, work: () => void) => void;
  now: () => number;
}

const qrSource = sources.indexOf('qr');

/** Answers `/qr/<alias>`, its preview (`+`) and its renderings by file extension (decision 0017). */
export function qrVisits({
  queries,
  linkLookup,
  visitors,
  linkResponder,
  recorder,
  answers,
  guard,
  now,
}: Options) {
  /**
   * Counts a scan of a dynamic code and responds after the commit. Not counted: bots, HEAD, and visitors who opted
   * out.
   */
  function count(
    visit: PathVisit,
    code: ScannedRow,
    visitor: KnownVisitor,
    query: string,
    answer: () => void,
  ): void {
    const { request, response } = visit;
    const counts =
      code.dynamic === 1 &&
      request.method === 'GET' &&
      !visitor.bot &&
      visitors.isCounted(visitor, readVisitHeaders(request), query, visitors.omissions(code.user_id));
    if (!counts) answer();
    else {
      const finish = () => {
        guard(request, response, answer);
        answers.scanned(code.user_id, code.id);
      };
      const at = now();
      recorder.addCount({ write: () => queries.addScan(code.id, at), answer: finish });
    }
  }

  function toLink(visit: PathVisit, code: ScannedRow, visitor: KnownVisitor, target: Target): boolean {
    if (code.link_alias === null) return false;
    const link = linkLookup.findLink(code.link_domain_id ?? 0, code.link_alias);
    if (!link) return false;
    // The click waits for the same commit as the scan, which also triggers the response.
    if (!target.preview) count(visit, code, visitor, target.query, () => {});
    const { request, response, domain, address } = visit;
    const there = { ...target, alias: link.alias };
    linkResponder.answer({ request, response, link, target: there, address, domain, source: qrSource });
    return true;
  }

  function show(visit: PathVisit, code: ScannedRow, target: Target): void {
    const { request, response, address } = visit;
    const { userAgent, acceptLanguage } = readVisitHeaders(request);
    const visitor = visitors.find(address, userAgent, acceptLanguage, now());
    const texts = textsFor(visitor.languages, visit.domain.brand);
    const send = (page: Page | undefined) =>
      sendPage(request, response, page ?? messagePage(texts, 'gone', 410));
    if (code.type === 'link' && toLink(visit, code, visitor, target)) return;
    if (request.method === 'POST') {
      send(wrongMethodPage(texts));
    } else if (code.type !== 'link') {
      if (target.preview) send(answers.page(code.id, texts));
      else count(visit, code, visitor, target.query, () => send(answers.page(code.id, texts)));
    } else if (code.url === null) {
      send(undefined);
    } else if (target.preview) {
      send(answers.preview(code.id, texts));
    } else {
      const location = linkLookup.safeRedirectUrl(code.url);
      count(visit, code, visitor, target.query, () => {
        if (location) sendHead(response, 302, redirectHeaders(location, 302));
        else send(messagePage(texts, 'unsafe', 410));
      });
    }
  }

  return {
    /** Handles the path of a QR code; false for other paths. */
    answer(visit: PathVisit): boolean {
      const url = visit.request.url ?? '/';
      if (!url.startsWith('/qr/')) return false;
      const target = readTarget(url.slice(3));
      if (!target || target.alias === '') return false;
      // Only aliases created before JPEG was supported end like this: see `addressEndings`.
      const whole = queries.find(target.alias);
      const [, stem, ending] = (!whole && /^(.+)\.(png|jpe?g|svg|pdf|vcf|ics)$/i.exec(target.alias)) || [];
      const code = whole ?? (stem === undefined ? undefined : queries.find(stem));
      // On its own domain, and always on the instance's host; never on someone else's domain.
      if (!code || (visit.domain.id !== 0 && visit.domain.id !== code.domain_id)) return false;
      if (ending !== undefined) {
        return (
          visit.request.method !== 'POST' && answers.file(visit, code.id, ending.toLowerCase(), target.query)
        );
      }
      show(visit, code, target);
      return true;
    },
  };
}
