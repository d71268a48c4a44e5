import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { settings } from '../../contract/settings.ts';

const address = settings.shape.publicAddresses.element;

/**
 * The reported addresses of edges that are suitable for the DNS: only the HTTP port, and no local addresses if any is
 * public, including the origin's `own`: every account can see them.
 */
export function dnsAddresses(reported: readonly string[], own: readonly string[]): string[] {
  const usable = [...new Set(reported)].filter((each) => address.safeParse(each).success);
  const isPublic = (each: string) => isIP(each) === 0 || ipaddr.process(each).range() === 'unicast';
  const found = usable.filter(isPublic);
  return found.length > 0 || own.some(isPublic) ? found : usable;
}
