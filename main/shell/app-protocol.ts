import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import type { CustomScheme } from 'electron';
import type { InstanceImages } from '../instances/instance-image.ts';

/** The address that the page has in the desktop. A scheme of our own has an origin that no web page can have. */
const pageOrigin = 'app://waypost';
export const startPage = `${pageOrigin}/admin/`;

/** To be registered before the app is ready. */
export const appScheme: CustomScheme = {
  scheme: 'app',
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
};

/** Whether an address is one of our own page's. URL.origin is no help: it is `null` for schemes like ours. */
export function isPageAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}` === pageOrigin;
}

/** Whether a document at this address is the page: of the same origin there are pictures of instances, too. */
export function isPageDocument(address: string): boolean {
  return isPageAddress(address) && /^\/admin(\/|$)/.test(new URL(address).pathname);
}

/** The page loads nothing and talks to nobody but through the bridge (T-29). */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  // Previews of visitors' pages have the font inside them: their frame has no origin that it could be fetched by.
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

interface AppProtocolOptions {
  /** The renderer's build. */
  folder: string;
  images: InstanceImages;
  /** In development, where Vite serves the page's sources; the folder is then not looked at. */
  sources?: { server: string; fetcher: typeof fetch } | undefined;
}

/**
 * Answers `app://waypost/…`: the files of the page below `/admin/`, and pictures of an instance below
 * `/instance/<id>/`. A path without an extension is one of the page's own routes and gets index.html.
 *
 * In development the page's files are fetched from Vite here, rather than the window going there: the page has the
 * same origin as ever, and what depends on it works as in a package (pictures, downloads, reloading, who may call).
 */
export function appProtocol({
  folder,
  images,
  sources,
}: AppProtocolOptions): (request: Request) => Promise<Response> {
  const root = resolve(folder);

  async function answer(request: Request): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return empty(405);
    const url = isPageAddress(request.url) ? new URL(request.url) : undefined;
    const path = url && plainPath(url.pathname);
    const picture = path && /^\/instance\/([^/]+)\/(.+)$/.exec(path);
    if (picture) {
      const [, id = '', rest = ''] = picture;
      return images.load(id, `/${rest.split('/').map(encodeURIComponent).join('/')}${url.search}`);
    }
    if (sources && url?.pathname.startsWith('/admin')) return fromSources(sources, url, request);
    if (!path || (path !== '/admin' && !path.startsWith('/admin/'))) return empty(404);
    return serveFile(extname(path) ? path.slice('/admin/'.length) : 'index.html');
  }

  async function serveFile(name: string): Promise<Response> {
    const file = join(root, name);
    const type = mediaTypes[extname(file).toLowerCase()];
    // The path has been checked; this holds whatever the check overlooked.
    if (!type || !file.startsWith(root + sep)) return empty(404);
    try {
      return new Response(new Uint8Array(await readFile(file)), { headers: { 'content-type': type } });
    } catch {
      // Absent, or a folder.
      return empty(404);
    }
  }

  return async (request) => {
    const response = await answer(request);
    if (!response.headers.has('content-security-policy')) {
      // Vite tells the page of changes through a socket of its own.
      const allowed = sources
        ? contentSecurityPolicy.replace('connect-src', `connect-src ${sources.server.replace('http', 'ws')}`)
        : contentSecurityPolicy;
      response.headers.set('content-security-policy', allowed);
    }
    response.headers.set('x-content-type-options', 'nosniff');
    response.headers.set('referrer-policy', 'no-referrer');
    // Builds name their files by content; index.html and pictures must be asked for each time.
    response.headers.set('cache-control', 'no-cache');
    return response;
  };
}

/** The same path of Vite's, whose names hold more than those of a build. */
async function fromSources(
  { server, fetcher }: NonNullable<AppProtocolOptions['sources']>,
  { pathname, search }: URL,
  { headers }: Request,
): Promise<Response> {
  const ask = () =>
    fetcher(new URL(pathname + search, server), { headers: { accept: headers.get('accept') ?? '*/*' } });
  // A connection that was kept can end just when it is used again, and a page without one of its modules stays empty.
  const answer = await ask().catch(ask);
  const type = answer.headers.get('content-type');
  return new Response(answer.body, { status: answer.status, headers: type ? { 'content-type': type } : {} });
}

/** The decoded path, or undefined when it holds anything that a path of ours never does. */
function plainPath(encoded: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    // A broken escape.
    return undefined;
  }
  const isOdd =
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point.
    /[\u0000-\u001f\u007f\\:%]|\/\//.test(path) || path.split('/').some((part) => /^\.{1,2}$/.test(part));
  return isOdd ? undefined : path;
}

function empty(status: number): Response {
  return new Response(null, { status });
}
