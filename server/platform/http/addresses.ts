import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { loopbackNames, readHost } from './hosts.ts';

/**
 * The client's address: the peer of the connection, or, when that peer is a proxy that the administrator trusts, the
 * last address in X-Forwarded-For that is not such a proxy. IPv4 addresses in IPv6 form are given as IPv4.
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
 * `[2001:db8::1]:4711`. Without this everybody behind one of them would be the proxy itself, and share its limits. ''
 * for what is none.
 */
function forwardedAddress(entry: string): string {
  const [, inBrackets, bare] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(entry) ?? [];
  const address = inBrackets ?? bare ?? entry;
  // Not `2130706433` or `127.1`, which are addresses to some.
  return isIP(address) === 0 ? '' : canonicalAddress(address);
}

/**
 * The network that stands for an address in every limit that counts by address: an IPv4 address itself, or the /64 of
 * an IPv6 one, since its host owns all of that and could use a new address for every request.
 */
export function networkOf(address: string): string {
  // Redirects ask this for each visit: what has no colon is counted as it is.
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
    : parsed.toString();
}

/** Headers that proxies add, beside all whose names begin with `x-forwarded`. */
const proxyHeaders =
  /^(?:x-forwarded.*|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.*|fastly-client-ip|x-original-.*|x-envoy-.*|x-amzn-.*|x-proxy.*)$/;

/**
 * Whether a request comes straight from this machine, with no proxy in between: a proxy that runs here lets strangers
 * in through the loopback address. It shows by the headers that it adds, or by the name that they asked for.
 */
export function isLocal(request: IncomingMessage): boolean {
  const address = canonicalAddress(request.socket.remoteAddress ?? '');
  if (address !== '::1' && !address.startsWith('127.')) return false;
  if (Object.keys(request.headers).some((name) => proxyHeaders.test(name))) return false;
  const host = readHost(request);
  return host !== undefined && loopbackNames.includes(host.name);
}

/** Whether an address lies in one of the ranges (CIDR notation or single addresses). */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  return ranges.length > 0 && rangeCheck(ranges)(address);
}

/** The same for ranges that are asked about often: they are read once. Throws on what is not a range. */
export function rangeCheck(ranges: readonly string[]): (address: string) => boolean {
  const networks = ranges.map((range) => {
    const [network, bits] = range.includes('/')
      ? ipaddr.parseCIDR(range)
      : [ipaddr.process(range), undefined];
    return { network, bits: bits ?? (network.kind() === 'ipv4' ? 32 : 128) };
  });
  return (address) => {
    const parsed = parseAddress(address);
    if (!parsed) return false;
    return networks.some(
      ({ network, bits }) => network.kind() === parsed.kind() && parsed.match(network, bits),
    );
  };
}

type ParsedAddress = ReturnType<typeof ipaddr.process>;
let lastAddress = '';
let lastParsed: ParsedAddress | undefined;

/** An address, IPv4 in IPv6 form as IPv4; the last one is remembered, since several ranges ask about it in turn. */
function parseAddress(address: string): ParsedAddress | undefined {
  if (address === lastAddress) return lastParsed;
  lastParsed = ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
  lastAddress = address;
  return lastParsed;
}

/** Whether a text is an address or a range in CIDR notation. */
export function isRange(text: string): boolean {
  return text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text);
}

/** The usual spelling of an address, IPv4 in IPv6 form as IPv4; '' for what is none. */
export function canonicalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : '';
}
