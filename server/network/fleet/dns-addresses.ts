import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { settings } from '../../contract/settings.ts';

const address = settings.shape.publicAddresses.element;

/**
 * What edges reported, as far as it can stand in the DNS: no other ports than that of HTTP, and no addresses of a local
 * network where any is public, `own` of the origin included: they are shown to every account.
 */
export function dnsAddresses(reported: readonly string[], own: readonly string[]): string[] {
  const usable = [...new Set(reported)].filter((each) => address.safeParse(each).success);
  const isPublic = (each: string) => isIP(each) === 0 || ipaddr.process(each).range() === 'unicast';
  const found = usable.filter(isPublic);
  return found.length > 0 || own.some(isPublic) ? found : usable;
}
