import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isInRanges } from '../http/addresses.ts';

/**
 * Ranges that look public but are not (IANA, special-purpose address registries). A second check in addition to
 * ipaddr.js, so that a mistake in one list is not enough.
 */
const special: [network: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  // Protocol assignments with Teredo and ORCHID, documentation, 6to4 (which carries any IPv4 address inside).
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
];

/** Everything else is loopback, private, link-local, multicast, NAT64, IPv4-mapped or unassigned (RFC 4291). */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

const blocked = new BlockList();
for (const [network, prefix, family] of special) blocked.addSubnet(network, prefix, family);

/**
 * Whether requests may go to an address: it is public, or in a range that the administrator allows (T-14). False for
 * anything that is not a plain address.
 */
export function isReachableAddress(address: string, allowedRanges: readonly string[]): boolean {
  const family = isIP(address);
  if (family === 0 || !ipaddr.isValid(address)) return false;
  return isInRanges(address, allowedRanges) || isPublicAddress(address);
}

function isPublicAddress(address: string): boolean {
  // IPv4-mapped IPv6 addresses are treated as the IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return false;
  return !blocked.check(parsed.toString(), parsed.kind());
}
