import type { NetworkInterfaceInfo } from 'node:os';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * The addresses of this machine that others in its networks can use, IPv4 first. Not the loopback ones, and not those
 * that mean something only together with an interface (169.254.0.0/16, fe80::/10).
 */
export function networkAddresses(interfaces: Interfaces): string[] {
  const all = Object.values(interfaces).flatMap((each) => each ?? []);
  const usable = all.filter(({ internal, address }) => !internal && !/^(169\.254\.|fe[89ab])/i.test(address));
  const family = (wanted: 'IPv4' | 'IPv6') =>
    usable.filter((each) => each.family === wanted).map(({ address }) => address.toLowerCase());
  return [...new Set([...family('IPv4'), ...family('IPv6')])];
}

/** An address as Host headers and URLs write it. */
export function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** Whether a listener on these addresses receives traffic to one of them; `0.0.0.0` and `::` mean all. */
export function isCovered(listened: readonly string[], address: string): boolean {
  return (
    listened.includes(address) ||
    listened.includes(address.includes(':') ? '::' : '0.0.0.0') ||
    listened.includes('::')
  );
}

/** The names of a machine that a certificate can be for: systems allow more in them than DNS does. */
export function certifiableNames(name: string): string[] {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name) ? [name, `${name}.local`] : [];
}
