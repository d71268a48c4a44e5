import type { IncomingMessage, ServerResponse } from 'node:http';
import { fontFile, isFontPath } from './pages/font.ts';

/** Answers the files of the font that pages have, on every host; false for all other paths. */
export function answerFont(request: IncomingMessage, response: ServerResponse): boolean {
  const path = request.url ?? '';
  if (!isFontPath(path) || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
  void fontFile(path).then((file) => send(request, response, file));
  return true;
}

function send(request: IncomingMessage, response: ServerResponse, file: Buffer): void {
  response.writeHead(200, {
    'Content-Type': 'font/woff2',
    'Content-Length': file.length,
    // Another version of the font has another path.
    'Cache-Control': 'public, max-age=31536000, immutable',
    // A sandboxed page has no origin, and a browser gives fonts of another origin only to whom they are offered.
    'Access-Control-Allow-Origin': '*',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : file);
}
