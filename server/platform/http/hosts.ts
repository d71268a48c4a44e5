import type { IncomingMessage } from 'node:http';
import { Refusal } from '../errors.ts';

/** The name and port that a request was sent to. */
export interface RequestHost {
  /** Lower case; an IPv6 address keeps its brackets. */
  name: string;
  /** As written, or undefined when the header has none. */
  port: number | undefined;
}

/**
 * Reads the Host header strictly, as the defence against DNS rebinding rests on it (T-01): exactly one
 * header, no user part, no trailing dot, and an absolute-form target that names the same host. HTTP/1.0 is what proxies
 * speak unless told otherwise, and one that was told nothing at all sends a name of this machine for strangers: over
 * HTTP/1.0 those are not believed. Returns undefined for anything else.
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

/** Splits `name:port`; undefined when it is not in canonical form. */
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
  /**
   * Adds names that are ours beside the configured ones, such as those of the local network while it is shared there.
   */
  add(further: FurtherNames): void;
  /** Whether `/api` and `/admin` may answer a request to this host: name and port both match exactly. */
  opensAdmin(host: RequestHost, secure: boolean): boolean;
  /** Whether a name is one of the instance's own, so that its links are those without a domain. */
  isOwn(name: string): boolean;
  /** Whether an address leads back to this instance: a link to it would go round in circles. */
  isOwnAddress(url: URL): boolean;
  /** Whether an Origin header names one of the same hosts. */
  allowsOrigin(origin: string): boolean;
  /**
   * Another text whenever a name or a port is another one by which requests reach this instance. Only the configured
   * address is a row in the database.
   */
  place(): string;
  /** Where other machines of the local network open the admin pages; undefined while they cannot. */
  networkOrigin(): string | undefined;
  /** Whether a name is ours in the local network, while it is shared there. */
  isOfNetwork(name: string): boolean;
  /** The instance's own names and addresses without brackets or ports, the configured one first if there is one. */
  names(): { configured: string | undefined; all: string[] };
}

interface Options {
  /** The port that is really listened on. */
  port: () => number;
  /** The port of HTTPS; undefined while it is not listened on. */
  httpsPort?: () => number | undefined;
  /** The instance's public address, when configured. */
  baseUrl: () => string | undefined;
}

interface FurtherNames {
  names: () => readonly string[];
  /** The port of HTTPS under these names; undefined while there is none. */
  httpsPort: () => number | undefined;
  /** Where the admin pages open under the first of these names; undefined while they do not. */
  origin: () => string | undefined;
}

/** What this machine calls itself, as Host headers write it. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The exact list of hosts that are ours. Branded domains are never on it (decision 0033). */
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
      // Behind a proxy that ends TLS the Host header has no port, whatever the port of this process is; so it has where
      // a router leads port 443 to our port of HTTPS.
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

/**
 * Refuses requests to /api that come from a page of another origin (T-02). A program sends neither header.
 * Throws 403.
 */
export function refuseForeignOrigin(request: IncomingMessage, hosts: HostList): void {
  const origin = request.headers.origin;
  const foreignOrigin = origin !== undefined && !hosts.allowsOrigin(origin);
  if (foreignOrigin || request.headers['sec-fetch-site'] === 'cross-site') {
    throw new Refusal(403, 'The API does not accept requests from other sites.', {
      code: 'foreign_origin',
    });
  }
}

/** 421 (decision 0033): the request was sent to a name that is not on the list. */
export function misdirected(): Refusal {
  return new Refusal(421, 'This host is not served here. Use the URL of the instance.', {
    code: 'misdirected',
  });
}

/** The value of a header that was sent exactly once; Node would silently take the first of several. */
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
