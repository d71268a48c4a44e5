import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { DomainDetails } from '../../contract/domains.ts';
import { isInRanges } from '../../platform/http/addresses.ts';
import { cloudflareRanges } from './cloudflare.ts';
import type { Resolver } from './resolver.ts';

type DnsType = 'direct' | 'cloudflare';

export interface PassedVerdict {
  outcome: 'passed';
  type: DnsType;
  address: string;
  /** That only edges of a fleet said the address is theirs. */
  isEdge?: boolean | undefined;
}

/** Where a host points. Only `passed` makes it usable; `unanswered` says nothing about the host. */
export type DnsVerdict =
  | PassedVerdict
  | {
      outcome: 'mismatch';
      reason: 'unresolved' | 'address_unknown' | 'elsewhere';
      address: string | null;
      message: string;
    }
  | { outcome: 'unanswered'; reason: 'unanswered'; address: null; message: string };

export type DnsCheck = (host: string) => Promise<DnsVerdict>;

interface Options {
  resolver: Resolver;
  /** The service's addresses, or host names to compare with (decision 0029). */
  publicAddresses: () => readonly string[];
  /** The same of the edges of its fleet, as they reported them. */
  edgeAddresses?: (() => readonly string[]) | undefined;
}

/**
 * Checks whether a host points to this service or to Cloudflare's proxies. Every address must: otherwise some
 * visitors, and the certificate authority, would reach another server. Never throws.
 */
export function dnsCheck({ resolver, publicAddresses, edgeAddresses = () => [] }: Options): DnsCheck {
  async function resolveAll(
    configured: readonly string[],
  ): Promise<{ addresses: string[]; names: string[] }> {
    const names = configured.filter((entry) => isIP(entry) === 0).map((name) => name.toLowerCase());
    const resolved = await Promise.all(names.map((name) => resolver.resolve(name)));
    const addresses = [
      ...configured.filter((entry) => isIP(entry) !== 0),
      ...resolved.flatMap((resolution) => resolution.addresses),
    ];
    return { addresses: addresses.map(canonical), names };
  }

  return async (host) => {
    const [found, own, edges] = await Promise.all([
      resolver.resolve(host),
      resolveAll(publicAddresses()),
      resolveAll(edgeAddresses()),
    ]);
    if (found.outcome === 'unanswered') {
      const message = `The name servers did not respond for ${host}. Try again in a few minutes.`;
      return { outcome: 'unanswered', reason: 'unanswered', address: null, message };
    }
    const [first] = found.addresses;
    if (first === undefined) {
      const message = `${host} does not resolve to any address. Point it to this server first.`;
      return { outcome: 'mismatch', reason: 'unresolved', address: null, message };
    }
    const isOrigin = (address: string) => own.addresses.includes(canonical(address));
    const isOwn = (address: string) => isOrigin(address) || edges.addresses.includes(canonical(address));
    const isProxy = (address: string) => isInRanges(address, cloudflareRanges);
    if (found.addresses.every(isOwn)) {
      return { outcome: 'passed', type: 'direct', address: first, ...(!isOrigin(first) && { isEdge: true }) };
    }
    if (found.addresses.every(isProxy)) return { outcome: 'passed', type: 'cloudflare', address: first };
    if (own.addresses.length === 0 && own.names.length === 0) {
      const message = `${host} resolves to ${first}, but this instance does not know its own public address. Its administrator sets it.`;
      return { outcome: 'mismatch', reason: 'address_unknown', address: first, message };
    }
    const wrong = found.addresses.find((address) => !isOwn(address) && !isProxy(address)) ?? first;
    const message = `${host} resolves to ${wrong}, which is not this server. Change its DNS record and try again.`;
    return { outcome: 'mismatch', reason: 'elsewhere', address: wrong, message };
  };
}

/** What a passed check found out, as a sentence. */
export function describePassed(host: string, { type, address }: PassedVerdict): string {
  return type === 'direct'
    ? `${host} resolves to this server (${address}).`
    : `${host} resolves to Cloudflare (${address}).`;
}

/** What a check found out, as facts. */
export function detailsOf(verdict: DnsVerdict): Pick<DomainDetails, 'reason' | 'address'> {
  const reason = verdict.outcome === 'passed' ? verdict.type : verdict.reason;
  return verdict.address === null ? { reason } : { reason, address: verdict.address };
}

/** One spelling for each address; an IPv4 address in IPv6 form is that IPv4 address. */
function canonical(address: string): string {
  return ipaddr.process(address).toString();
}
