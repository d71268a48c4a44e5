import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import type { CustomScheme } from 'electron';
import type { InstanceImages } from '../instances/instance-image.ts';

/** The page's origin in the desktop app. No web page can have an origin with our custom scheme. */
const pageOrigin = 'app://waypost';
export const startPage = `${pageOrigin}/admin/`;

/** Must be registered before the app is ready. */
export const appScheme: CustomScheme = {
  scheme: 'app',
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
};

/** Whether an address belongs to our own page. `URL.origin` is `null` for custom schemes, so it cannot be used. */
export function isPageAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}` === pageOrigin;
}

/** Whether a document address is the page itself; the same origin also serves the instances' images. */
export function isPageDocument(address: string): boolean {
  return isPageAddress(address) && /^\/admin(\/|$)/.test(new URL(address).pathname);
}

/** The page loads nothing from the network and communicates only through the bridge (T-29). */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  // Previews of visitor pages inline the font, because their opaque origin could not fetch it.
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
  /** The folder of the renderer's build. */
  folder: string;
  images: InstanceImages;
  /** The Vite development server; if set, `folder` is ignored. */
  sources?: { server: string; fetcher: typeof fetch } | undefined;
}

/**
 * Serves `app://waypost/…`: the page's files below `/admin/`, and an instance's images below `/instance/<id>/`. A path
 * without an extension is one of the page's routes and gets index.html.
 *
 * In development, files are fetched from Vite here rather than by the window, so the page keeps its origin, and
 * everything that depends on it works as in a packaged app (images, downloads, reloading, access checks).
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
    // Defense in depth: the path has already been checked.
    if (!type || !file.startsWith(root + sep)) return empty(404);
    try {
      return new Response(new Uint8Array(await readFile(file)), { headers: { 'content-type': type } });
    } catch {
      // Not found, or a folder.
      return empty(404);
    }
  }

  return async (request) => {
    const response = await answer(request);
    if (!response.headers.has('content-security-policy')) {
      // Vite's hot reloading uses a WebSocket.
      const allowed = sources
        ? contentSecurityPolicy.replace('connect-src', `connect-src ${sources.server.replace('http', 'ws')}`)
        : contentSecurityPolicy;
      response.headers.set('content-security-policy', allowed);
    }
    response.headers.set('x-content-type-options', 'nosniff');
    response.headers.set('referrer-policy', 'no-referrer');
    // Assets have content hashes in their names, but index.html and images must be revalidated.
    response.headers.set('cache-control', 'no-cache');
    return response;
  };
}

/** Fetches the same path from Vite, whose file names are less restricted than those of a build. */
async function fromSources(
  { server, fetcher }: NonNullable<AppProtocolOptions['sources']>,
  { pathname, search }: URL,
  { headers }: Request,
): Promise<Response> {
  const ask = () =>
    fetcher(new URL(pathname + search, server), { headers: { accept: headers.get('accept') ?? '*/*' } });
  // Retry once: a kept-alive connection may close just as it is reused, and the page stays blank if a module is
  // missing.
  const answer = await ask().catch(ask);
  const type = answer.headers.get('content-type');
  return new Response(answer.body, { status: answer.status, headers: type ? { 'content-type': type } : {} });
}

/** The decoded path, or undefined if it contains anything that our paths never do. */
function plainPath(encoded: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    // An invalid percent escape.
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
