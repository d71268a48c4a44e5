import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { boundedCache } from '../concurrency/bounded-cache.ts';
import { loopbackNames, readHost } from './hosts.ts';

/**
 * The client's address: the peer of the connection or, if the peer is a trusted proxy, the last address in
 * X-Forwarded-For that is not a trusted proxy. IPv4-mapped IPv6 addresses are returned as IPv4.
 */
export function addressOf(request: IncomingMessage, trustedProxies: readonly string[]): string {
  let address = canonicalAddress(request.socket.remoteAddress ?? '');
  if (trustedProxies.length === 0) return address;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  while (isInRanges(address, trustedProxies)) {
    const next = forwardedAddress((forwarded.pop() ?? '').trim());
    if (next === '') break;
    address = next;
  }
  return address;
}

/**
 * The address in an entry of X-Forwarded-For, which some proxies write with a port: `192.0.2.1:4711`,
 * `[2001:db8::1]:4711`. Otherwise all clients behind such a proxy would share the proxy's address and its limits. ''
 * if it is not an address.
 */
function forwardedAddress(entry: string): string {
  const [, inBrackets, bare] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(entry) ?? [];
  const address = inBrackets ?? bare ?? entry;
  // Not `2130706433` or `127.1`, which some accept as addresses.
  return isIP(address) === 0 ? '' : canonicalAddress(address);
}

/**
 * The network that limits count by: an IPv4 address itself, or the /64 of an IPv6 address, since its host owns all of
 * that and could use a new address for every request.
 */
export function networkOf(address: string): string {
  // Redirects call this for every visit: anything without a colon is used as it is.
  const parsed = address.includes(':') ? readAddress(address)?.parsed : undefined;
  if (!parsed) return address;
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
    : parsed.toString();
}

/** Headers that proxies add, in addition to all that start with `x-forwarded`. */
const proxyHeaders =
  /^(?:x-forwarded.*|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.*|fastly-client-ip|x-original-.*|x-envoy-.*|x-amzn-.*|x-proxy.*)$/;

/**
 * Whether a request comes directly from this machine, without a proxy: a local proxy forwards strangers through the
 * loopback address. It is recognized by the headers that it adds, or by the requested host name.
 */
export function isLocal(request: IncomingMessage): boolean {
  const address = canonicalAddress(request.socket.remoteAddress ?? '');
  if (address !== '::1' && !address.startsWith('127.')) return false;
  if (Object.keys(request.headers).some((name) => proxyHeaders.test(name))) return false;
  const host = readHost(request);
  return host !== undefined && loopbackNames.includes(host.name);
}

/** Whether an address is in one of the ranges (CIDR notation or single addresses). Throws for invalid ranges. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return false;
  let check = checks.get(ranges);
  if (!check) {
    check = rangeCheck(ranges);
    checks.set(ranges, check);
  }
  return check(address);
}

/** The checks of lists, which are replaced when a setting changes, and never changed themselves. */
const checks = new WeakMap<readonly string[], (address: string) => boolean>();

/** The same as a function. Throws for invalid ranges. */
export function rangeCheck(ranges: readonly string[]): (address: string) => boolean {
  const networks = ranges.map((range) => {
    const [network, bits] = range.includes('/')
      ? ipaddr.parseCIDR(range)
      : [ipaddr.process(range), undefined];
    return { network, bits: bits ?? (network.kind() === 'ipv4' ? 32 : 128) };
  });
  return (address) => {
    const parsed = readAddress(address)?.parsed;
    if (!parsed) return false;
    return networks.some(
      ({ network, bits }) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
  };
}

/** An address that was read; IPv4-mapped ones as IPv4. */
interface ReadAddress {
  parsed: ReturnType<typeof ipaddr.process>;
  canonical: string;
}

/** Behind a proxy every request has two, which are compared with several lists: reading one takes some microseconds. */
const addressesRead = boundedCache<string, ReadAddress | 'invalid'>(2048);
/** Longer texts are no addresses, except with names of interfaces. */
const longestRemembered = 64;

function readAddress(text: string): ReadAddress | undefined {
  let read = addressesRead.get(text);
  if (read === undefined) {
    const parsed = ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
    read = parsed ? { parsed, canonical: parsed.toString() } : 'invalid';
    if (text.length <= longestRemembered) addressesRead.set(text, read);
  }
  return read === 'invalid' ? undefined : read;
}

/** Whether a text is an address or a range in CIDR notation. */
export function isRange(text: string): boolean {
  return text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text);
}

/** The canonical spelling of an address, IPv4-mapped ones as IPv4; '' if it is not an address. */
export function canonicalAddress(address: string): string {
  return readAddress(address)?.canonical ?? '';
}
