import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AdminPages } from './admin.ts';
import { isEncrypted } from './encryption.ts';
import { type HostList, parseHost, readHost } from './hosts.ts';
import { refuse } from './refuse.ts';

/** Longer request targets get 414. Node itself limits the total size of headers. */
const maxTarget = 8192;
/**
 * HSTS for half a year. It does not include subdomains, which are not ours, and no preloading, which takes years to
 * undo.
 */
const strictTransport = ['Strict-Transport-Security', 'max-age=15768000'] as const;

interface Options {
  /** Koa's request listener for everything under /api. */
  api: RequestListener;
  admin: AdminPages;
  /** Short links and public pages; `host` is lower case and without a port, '' when the header is unreadable. */
  redirects: (request: IncomingMessage, response: ServerResponse, host: string) => void;
  hosts: Pick<HostList, 'opensAdmin'>;
  /** Whether a name is the instance's own host and redirects to HTTPS, with a certificate that browsers trust. */
  isAlwaysSecure: (name: string) => boolean;
  /** The three rate headers for a request that is rejected before the API. */
  rateHeadersOf: (request: IncomingMessage) => Record<string, string>;
}

/** The first handler of every request: API, admin pages, or the redirect path, which comes before Koa. */
export function httpEntry({
  api,
  admin,
  redirects,
  hosts,
  isAlwaysSecure,
  rateHeadersOf,
}: Options): RequestListener {
  const names = new Map<string, string>();

  /** The name in a Host header; cached, as almost all requests use a few names. */
  function nameOf(header: string | undefined): string {
    if (header === undefined) return '';
    let name = names.get(header);
    if (name === undefined) {
      name = parseHost(header)?.name ?? '';
      if (names.size > 1000) names.clear();
      names.set(header, name);
    }
    return name;
  }

  return (request, response) => {
    const url = request.url ?? '/';
    const name = nameOf(hostHeader(request.rawHeaders));
    if (isEncrypted(request) && isAlwaysSecure(name)) response.setHeader(...strictTransport);
    if (url.length > maxTarget) {
      refuse(response, 414, 'The request URL is too long.', 'uri_too_long', rateHeadersOf(request));
      return;
    }
    const path = url.startsWith('/') ? url : pathOf(url);
    if (isBelow(path, '/api') || isBelow(path, '//api')) {
      api(request, response);
    } else if (isBelow(path, '/admin')) {
      const host = readHost(request);
      if (host && hosts.opensAdmin(host, isEncrypted(request))) admin(request, response);
      else refuse(response, 421, 'This host is not served here. Use the URL of the instance.', 'misdirected');
    } else {
      if (path !== url) request.url = path;
      redirects(request, response, name);
    }
  };
}

/**
 * The Host header; undefined if there is none, or several, of which a proxy may have used a different one (RFC 9112,
 * 3.2). Read from the raw list: `request.headers` would build an object for each redirect.
 */
function hostHeader(raw: readonly string[]): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]?.length !== 4 || raw[index]?.toLowerCase() !== 'host') continue;
    if (found !== undefined) return undefined;
    found = raw[index + 1];
  }
  return found;
}

function isBelow(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  const next = path[folder.length];
  return next === undefined || next === '/' || next === '?';
}

/** The path of an absolute-form target, which only proxies send. */
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname + new URL(url).search : '/';
}
