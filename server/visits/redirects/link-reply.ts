import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendHead, sendPage } from './answers.ts';
import type { KnownVisitor } from './known-visitor.ts';
import type { Domain } from './link-lookup.ts';
import { type LinkRecord, redirectHeaders } from './link-record.ts';
import type { PageTexts } from './pages/page-texts.ts';
import { cardPage, messagePage, type Page, passwordPage } from './pages/pages.ts';
import { textsFor } from './pages/texts.ts';
import type { Answer } from './resolve.ts';

/** The response to a visit, sent once its click is logged. */
export interface LinkReply {
  status: number;
  /** For a redirect; a page has its own. */
  headers: readonly string[];
  /** Index of the rule that chose the destination. */
  rule: number | null;
  /** The page shown instead of a redirect. */
  page: Page | undefined;
}

/** Redirects a visitor. */
export function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  { page, status, headers }: LinkReply,
): void {
  if (page) sendPage(request, response, page);
  else sendHead(response, status, headers);
}

/** Tells a visitor why the link does not redirect. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  found: Exclude<Answer, { kind: 'redirect' }>,
  texts: PageTexts,
  link: LinkRecord,
): void {
  switch (found.kind) {
    case 'expired':
      sendExpired(request, response, texts, found.location);
      return;
    case 'archived':
      sendPage(request, response, messagePage(texts, 'gone', 410));
      return;
    case 'early':
      if (found.location === undefined) sendPage(request, response, messagePage(texts, 'early', 404));
      else sendHead(response, 302, redirectHeaders(found.location, 302));
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

/** Redirects a visitor of an expired link to its owner's choice, or says that it has expired. */
export function sendExpired(
  request: IncomingMessage,
  response: ServerResponse,
  texts: PageTexts,
  location: string | undefined,
): void {
  if (location === undefined) sendPage(request, response, messagePage(texts, 'expired', 410));
  else sendHead(response, 302, redirectHeaders(location, 302));
}

/** The texts in the visitor's language, with the brand of the requested domain. */
export function textsOf({ domain }: { domain: Domain }, { visitor }: { visitor: KnownVisitor }): PageTexts {
  return textsFor(visitor.languages, domain.brand);
}
