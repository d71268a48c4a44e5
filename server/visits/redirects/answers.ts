import type { IncomingMessage, ServerResponse } from 'node:http';
import { boundedCache } from '../../platform/concurrency/bounded-cache.ts';
import { acceptsCoding, gzipped, worthCompressing } from '../../platform/http/content-coding.ts';
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

/** Compressed pages by their texts, and the length of the longest that is remembered. */
const pagesCompressed = boundedCache<string, Promise<Buffer>>(16);
const longestRemembered = 131_072;

/**
 * Writes a page that is the same for everyone, compressed in a worker thread if the client accepts that: once for all
 * who come while it is popular and has not changed. Not for pages that contain a secret next to visitor input, as the
 * length would leak it (BREACH).
 */
export function sendPublicPage(request: IncomingMessage, response: ServerResponse, page: Page): void {
  const varied = { ...page, headers: [...(page.headers ?? []), 'Vary', 'Accept-Encoding'] };
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (page.body.length < worthCompressing || request.method === 'HEAD' || !acceptsCoding(accepted, 'gzip')) {
    sendPage(request, response, varied);
    return;
  }
  const headers = [...varied.headers, 'Content-Encoding', 'gzip'];
  compressedOnce(page.body).then(
    (body) => sendPage(request, response, { ...varied, body, headers }),
    () => sendPage(request, response, varied),
  );
}

function compressedOnce(body: string): Promise<Buffer> {
  const known = pagesCompressed.get(body);
  if (known) return known;
  const compressed = gzipped(body);
  if (body.length <= longestRemembered) {
    pagesCompressed.set(body, compressed);
    compressed.catch(() => pagesCompressed.delete(body));
  }
  return compressed;
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
