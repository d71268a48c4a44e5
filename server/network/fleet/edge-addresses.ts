import { isIPv6 } from 'node:net';
import { hostOf } from '../sharing/network-addresses.ts';

interface Options {
  /** The public addresses given at the start. */
  named: readonly string[];
  /** Listening addresses; `0.0.0.0` and `::` mean all. */
  bound: readonly string[];
  /** The machine's own in its networks. */
  own: readonly string[];
  port: number;
}

/**
 * Where visitors reach an edge, for the DNS: the addresses given at startup, which only the administrator knows behind
 * a router; otherwise the machine's own addresses that it listens on. Ports other than that of HTTP are included.
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
