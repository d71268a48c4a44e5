import { createReadStream, existsSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { acceptsCoding } from './content-coding.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};
/** Compressed variants that the build wrote next to a file (build/compressed-pages.ts), the smaller one first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

/** The policy of the admin pages (ui page, "Kit"): nothing from anywhere but the instance, no inline script. */
const headers: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export type AdminPages = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves the built renderer below /admin/. A path without an extension is a route of the app and gets index.html; file
 * names with a hash are cached permanently.
 */
export function adminPages(folder: string): AdminPages {
  function send(request: IncomingMessage, response: ServerResponse, file: string, cache: string): void {
    const extension = extname(file);
    const answer: Record<string, string | number> = {
      ...headers,
      'Cache-Control': cache,
      'Content-Type': types[extension] ?? 'application/octet-stream',
      Vary: 'Accept-Encoding',
    };
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const encoding = encodings.find(
      ({ name, suffix }) => acceptsCoding(accepted, name) && existsSync(file + suffix),
    );
    if (encoding) answer['Content-Encoding'] = encoding.name;
    const sent = file + (encoding?.suffix ?? '');
    response.writeHead(200, { ...answer, 'Content-Length': statSync(sent).size });
    if (request.method === 'HEAD') response.end();
    // The file, or its disk, may be gone by now: a response that has started can only be aborted.
    else pipeline(createReadStream(sent), response, () => {});
  }

  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { ...headers, Allow: 'GET, HEAD' }).end();
      return;
    }
    const path = decodePath(request.url ?? '');
    if (path === '/admin') {
      response.writeHead(302, { ...headers, Location: '/admin/' }).end();
      return;
    }
    const wanted = path === undefined ? undefined : normalize(join(folder, path.slice('/admin/'.length)));
    if (wanted === undefined || !(wanted + sep).startsWith(folder + sep)) {
      notThere(response);
      return;
    }
    const index = join(folder, 'index.html');
    if (extname(wanted) === '') {
      if (existsSync(index)) send(request, response, index, 'no-cache');
      else notThere(response);
    } else if (existsSync(wanted) && statSync(wanted).isFile()) {
      const forGood = wanted.startsWith(join(folder, 'assets') + sep);
      send(request, response, wanted, forGood ? 'public, max-age=31536000, immutable' : 'no-cache');
    } else notThere(response);
  };
}

function decodePath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '');
    return path.includes('\0') ? undefined : path;
  } catch {
    // Malformed percent encoding matches no file.
    return undefined;
  }
}

function notThere(response: ServerResponse): void {
  response.writeHead(404, { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }).end('Not found.\n');
}
