import type { IncomingMessage } from 'node:http';
import { Refusal } from '../errors.ts';

/** The host name and port of a request. */
export interface RequestHost {
  /** Lower case; an IPv6 address keeps its brackets. */
  name: string;
  /** As written; undefined if the header has none. */
  port: number | undefined;
}

/**
 * Parses the Host header strictly, since the defence against DNS rebinding depends on it (T-01): exactly one header,
 * no user part, no trailing dot, and an absolute-form target with the same host. Proxies use HTTP/1.0 by default, and
 * an unconfigured one sends a local name on behalf of strangers: those are not trusted over HTTP/1.0. Returns
 * undefined for anything else.
 */
export function readHost(request: IncomingMessage): RequestHost | undefined {
  const isOld = request.httpVersion === '1.0';
  if (!isOld && request.httpVersion !== '1.1') return undefined;
  const header = soleHeader(request, 'host');
  if (header === undefined || header.length > 260) return undefined;
  const host = parseHost(header);
  if (!host || (isOld && loopbackNames.includes(host.name))) return undefined;
  const target = request.url ?? '/';
  if (target.startsWith('/')) return host;
  const absolute = /^https?:\/\/([^/?#]*)/i.exec(target);
  return absolute?.[1]?.toLowerCase() === header.toLowerCase() ? host : undefined;
}

/** Splits `name:port`; undefined if it is not in canonical form. */
export function parseHost(header: string): RequestHost | undefined {
  const match = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_-])?)(?::([1-9]\d{0,4}))?$/i.exec(
    header,
  );
  if (!match?.[1]) return undefined;
  const port = match[3] === undefined ? undefined : Number(match[3]);
  if (port !== undefined && port > 65_535) return undefined;
  return { name: match[1].toLowerCase(), port };
}

export interface HostList {
  /** Adds host names to the configured ones, such as those in the local network while sharing is on. */
  add(further: FurtherNames): void;
  /** Whether `/api` and `/admin` may answer a request to this host: name and port must match exactly. */
  opensAdmin(host: RequestHost, secure: boolean): boolean;
  /** Whether a name is one of the instance's own; its links are those without a domain. */
  isOwn(name: string): boolean;
  /** Whether a URL leads back to this instance: a link to it would be a redirect loop. */
  isOwnAddress(url: URL): boolean;
  /** Whether an Origin header is one of the same hosts. */
  allowsOrigin(origin: string): boolean;
  /**
   * A text that changes whenever a name or port of this instance changes. Only the configured URL is stored in the
   * database.
   */
  place(): string;
  /** The URL of the admin pages for other machines in the local network; undefined while unavailable. */
  networkOrigin(): string | undefined;
  /** Whether a name is ours in the local network, while sharing is on. */
  isOfNetwork(name: string): boolean;
  /** The instance's own names and addresses without brackets or ports, the configured one first. */
  names(): { configured: string | undefined; all: string[] };
}

interface Options {
  /** The port in use. */
  port: () => number;
  /** The HTTPS port in use; undefined if there is none. */
  httpsPort?: () => number | undefined;
  /** The instance's public URL, if configured. */
  baseUrl: () => string | undefined;
}

interface FurtherNames {
  names: () => readonly string[];
  /** The HTTPS port for these names; undefined if there is none. */
  httpsPort: () => number | undefined;
  /** The admin URL under the first of these names; undefined while unavailable. */
  origin: () => string | undefined;
}

/** This machine's own names, as Host headers write them. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The exact list of our hosts. Branded domains are never on it (decision 0033). */
export function hostList(options: Options): HostList {
  const { port, httpsPort = () => undefined, baseUrl } = options;
  const further: FurtherNames[] = [];
  const furtherNames = () => further.flatMap(({ names }) => names());
  function configured(): URL | undefined {
    const url = baseUrl();
    return url === undefined ? undefined : new URL(url);
  }
  function isListed(host: RequestHost, defaultPort: number): boolean {
    const asked = host.port ?? defaultPort;
    const names = [...loopbackNames, ...furtherNames()];
    const ports = [port(), httpsPort(), ...further.map((each) => each.httpsPort())];
    const isListened = ports.includes(asked);
    if (names.includes(host.name) && isListened) return true;
    const own = configured();
    return own?.hostname === host.name && (portOf(own) === asked || asked === httpsPort());
  }
  return {
    add: (each) => void further.push(each),
    opensAdmin: (host, secure) => {
      const own = configured();
      // Behind a proxy that terminates TLS, the Host header has no port, whatever the port of this process; the same
      // applies if a router forwards port 443 to our HTTPS port.
      const isBare = own !== undefined && host.port === undefined && own.hostname === host.name;
      if (isBare && (own.port === '' || secure)) return true;
      return isListed(host, secure ? 443 : 80);
    },
    isOwn: (name) =>
      loopbackNames.includes(name) || furtherNames().includes(name) || configured()?.hostname === name,
    isOwnAddress: (url) => {
      const secure = url.protocol === 'https:';
      const host = { name: url.hostname, port: url.port === '' ? undefined : Number(url.port) };
      return isListed(host, secure ? 443 : 80) || configured()?.host === url.host;
    },
    place: () =>
      [port(), httpsPort(), ...further.flatMap((each) => [each.httpsPort(), ...each.names()])].join(' '),
    isOfNetwork: (name) => furtherNames().includes(name),
    networkOrigin: () => further.map(({ origin }) => origin()).find((origin) => origin !== undefined),
    names() {
      const own = configured()?.hostname;
      const all = [...(own === undefined ? [] : [own]), ...loopbackNames, ...furtherNames()];
      return { configured: own, all: [...new Set(all.map((name) => name.replace(/^\[|\]$/g, '')))] };
    },
    allowsOrigin(origin) {
      const match = /^(https?):\/\/([^/]+)$/.exec(origin);
      const host = match?.[2] === undefined ? undefined : parseHost(match[2]);
      return host !== undefined && isListed(host, match?.[1] === 'https' ? 443 : 80);
    },
  };
}

/** Rejects requests to /api from a page of another origin (T-02). API clients send neither header. Throws 403. */
export function refuseForeignOrigin(request: IncomingMessage, hosts: HostList): void {
  const origin = request.headers.origin;
  const foreignOrigin = origin !== undefined && !hosts.allowsOrigin(origin);
  if (foreignOrigin || request.headers['sec-fetch-site'] === 'cross-site') {
    throw new Refusal(403, 'The API does not accept requests from other sites.', {
      code: 'foreign_origin',
    });
  }
}

/** 421 (decision 0033): the request was sent to a host that is not on the list. */
export function misdirected(): Refusal {
  return new Refusal(421, 'This host is not served here. Use the URL of the instance.', {
    code: 'misdirected',
  });
}

/** The value of a header that was sent exactly once; Node would silently use the first of several. */
export function soleHeader(request: IncomingMessage, name: string): string | undefined {
  let value: string | undefined;
  const raw = request.rawHeaders;
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() !== name) continue;
    if (value !== undefined) return undefined;
    value = raw[index + 1];
  }
  return value;
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}
