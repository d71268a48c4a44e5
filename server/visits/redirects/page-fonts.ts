import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { sendText } from './answers.ts';
import { fontFile, fontPrefix, isFontPath } from './pages/font.ts';

interface Options {
  log: Pick<Logger, 'error'>;
  /** Reads the file of a part; replaced in tests. */
  read?: (path: string) => Promise<Buffer>;
}

/**
 * Serves the font files of public pages on every host; false for all other paths. Pages rendered before an update
 * request parts of another version: these are 404 and do not count as visits.
 */
export function pageFonts({ log, read = fontFile }: Options) {
  async function answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    let file: Buffer;
    try {
      file = await read(path);
    } catch (err) {
      log.error({ err, path }, 'a font could not be read');
      sendMissing(request, response);
      return;
    }
    send(request, response, file);
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const path = request.url ?? '';
    if (!path.startsWith(fontPrefix) || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    if (isFontPath(path)) void answer(request, response, path);
    else sendMissing(request, response);
    return true;
  };
}

function sendMissing(request: IncomingMessage, response: ServerResponse): void {
  const headers = ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store'];
  sendText(request, response, 404, 'Not found\n', headers);
}

function send(request: IncomingMessage, response: ServerResponse, file: Buffer): void {
  response.writeHead(200, {
    'Content-Type': 'font/woff2',
    'Content-Length': file.length,
    // Each version of the font has its own path.
    'Cache-Control': 'public, max-age=31536000, immutable',
    // A sandboxed page has an opaque origin, so the browser only loads fonts with a CORS header.
    'Access-Control-Allow-Origin': '*',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : file);
}
