import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import { acceptsCoding } from '../../platform/http/content-coding.ts';
import type { Page } from './pages/pages.ts';

/** The headers of every page beside its length and policy. */
const pageHeaders = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Cache-Control',
  'private, no-store',
  // Nobody may keep it, and whoever does so all the same must not show it in another language.
  'Vary',
  'Accept-Language',
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
];

/** Writes a redirect or another answer without a body. `headers` is a flat list of names and values. */
export function sendHead(response: ServerResponse, status: number, headers: readonly string[]): void {
  // Node's types want a mutable list; it is only read.
  response.writeHead(status, headers as string[]);
  response.end();
}

/** Writes a page; to HEAD only its headers. */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: Omit<Page, 'body'> & { body: string | Buffer },
): void {
  sendText(request, response, page.status, page.body, [
    ...pageHeaders,
    'Content-Security-Policy',
    page.policy,
    ...(page.headers ?? []),
  ]);
}

/** Characters from which on a page is compressed: less is one packet either way. */
const worthCompressing = 1024;

/**
 * Writes a page that everybody sees alike, compressed where the visitor's program takes that; the work is done in
 * another thread. Not for a page that shows something secret beside what the visitor sent, as its length would tell of
 * it (BREACH).
 */
export function sendPublicPage(request: IncomingMessage, response: ServerResponse, page: Page): void {
  const varied = { ...page, headers: [...(page.headers ?? []), 'Vary', 'Accept-Encoding'] };
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (page.body.length < worthCompressing || request.method === 'HEAD' || !acceptsCoding(accepted, 'gzip')) {
    sendPage(request, response, varied);
    return;
  }
  gzip(page.body, (error, body) => {
    if (error) sendPage(request, response, varied);
    else
      sendPage(request, response, {
        ...varied,
        body,
        headers: [...varied.headers, 'Content-Encoding', 'gzip'],
      });
  });
}

/** Writes a text with its length. What is left of a request's body must not be taken for the next request. */
export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  headers: readonly string[],
): void {
  if (response.headersSent || response.destroyed) return;
  const close = request.complete || request.method === 'GET' ? [] : ['Connection', 'close'];
  response.writeHead(status, [...headers, 'Content-Length', String(Buffer.byteLength(text)), ...close]);
  response.end(request.method === 'HEAD' ? undefined : text);
}
