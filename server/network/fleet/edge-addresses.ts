import { isIPv6 } from 'node:net';
import { hostOf } from '../sharing/network-addresses.ts';

interface Options {
  /** What the start named as its public addresses. */
  named: readonly string[];
  /** Addresses that are listened on; `0.0.0.0` and `::` stand for all. */
  bound: readonly string[];
  /** The machine's own in its networks. */
  own: readonly string[];
  port: number;
}

/**
 * Where visitors reach an edge, as it goes into the DNS: what its start named, as behind a router nobody else knows;
 * otherwise the machine's own addresses as far as it listens there. Other ports than that of HTTP are told with them.
 */
export function edgeAddresses({ bound, named, own, port }: Options): string[] {
  if (named.length > 0) return [...named];
  const listened = bound.flatMap((address) => {
    if (address === '::') return own;
    return address === '0.0.0.0' ? own.filter((each) => !isIPv6(each)) : [address];
  });
  return [...new Set(listened)].map((address) => (port === 80 ? address : `${hostOf(address)}:${port}`));
}

/** Addresses with or without a port as Host headers write their names. */
export function hostNames(addresses: readonly string[]): string[] {
  return addresses.map((address) => (isIPv6(address) ? hostOf(address) : address.replace(/:\d+$/, '')));
}
