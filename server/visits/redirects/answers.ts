import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import { acceptsCoding, worthCompressing } from '../../platform/http/content-coding.ts';
import type { Page } from './pages/pages.ts';

/** Headers of every page, besides its length and policy. */
const pageHeaders = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Cache-Control',
  'private, no-store',
  // Not cacheable; caches that ignore this must vary by language.
  'Vary',
  'Accept-Language',
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
];

/** Writes a redirect or another response without a body. `headers` is a flat list of names and values. */
export function sendHead(response: ServerResponse, status: number, headers: readonly string[]): void {
  // Node's types want a mutable list; it is only read.
  response.writeHead(status, headers as string[]);
  response.end();
}

/** Writes a page; for HEAD, only its headers. */
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

/**
 * Writes a page that is the same for everyone, compressed in a worker thread if the client accepts that. Not for pages
 * that contain a secret next to visitor input, as the length would leak it (BREACH).
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

/** Writes a text with its length. The rest of a request's body must not be parsed as the next request. */
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
