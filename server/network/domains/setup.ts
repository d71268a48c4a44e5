import { isIP } from 'node:net';
import type { DnsCheck, DnsVerdict } from './dns-check.ts';
import type { Claim, DomainProofs, ProofTask } from './proof.ts';
import type { Resolver } from './resolver.ts';

export interface DnsRecord {
  type: 'A' | 'AAAA' | 'CNAME' | 'ALIAS';
  /** As one enters it at the provider of the zone: `go`, or `@` for the zone itself. */
  name: string;
  value: string;
}

/** The required and current DNS records of a host. */
export interface DomainSetup {
  host: string;
  /** The zone that the host belongs to. */
  zone: string;
  /** Whether the host is the zone itself, which can be no other name of anything (RFC 1034, section 3.6.2). */
  isApex: boolean;
  /** Records to create, all of them; empty while the instance does not know its own address. */
  records: DnsRecord[];
  /** Alternative records; empty if there are none. */
  alternative: DnsRecord[];
  /** What the host resolves to now. */
  resolved: string[];
  verdict: DnsVerdict;
  /** The record that proves ownership; its name is as entered at the provider. */
  proof: ProofTask;
}

interface Options {
  proofs: Pick<DomainProofs, 'taskOf'>;
  resolver: Resolver;
  checkDns: DnsCheck;
  publicAddresses: () => readonly string[];
  /** Where edges of a fleet answer for it, as they reported. */
  edgeAddresses?: (() => readonly string[]) | undefined;
}

/** Determines what a host needs in the DNS. Never throws: unknown facts are guessed from the name. */
export function domainSetup({
  proofs,
  resolver,
  checkDns,
  publicAddresses,
  edgeAddresses = () => [],
}: Options) {
  async function resolveAll(
    configured: readonly string[],
  ): Promise<{ addresses: string[]; names: string[] }> {
    const addresses = configured.filter((entry) => isIP(entry) !== 0);
    const names = configured.filter((entry) => isIP(entry) === 0);
    if (addresses.length > 0) return { addresses, names };
    const resolved = await Promise.all(names.map((name) => resolver.resolve(name)));
    return { addresses: [...new Set(resolved.flatMap((resolution) => resolution.addresses))], names };
  }

  return async (claim: Claim): Promise<DomainSetup> => {
    const { host } = claim;
    const { record, file } = proofs.taskOf(claim);
    const [found, verdict, own, edges, known] = await Promise.all([
      resolver.resolve(host),
      checkDns(host),
      resolveAll(publicAddresses()),
      resolveAll(edgeAddresses()),
      resolver.findZone(host),
    ]);
    const zone = known ?? host.split('.').slice(-2).join('.');
    const isApex = zone === host;
    const name = isApex ? '@' : host.slice(0, -zone.length - 1);
    const byAddress = [...new Set([...own.addresses, ...edges.addresses])].map(
      (value): DnsRecord => ({ type: isIP(value) === 4 ? 'A' : 'AAAA', name, value }),
    );
    // The name of an edge points to that edge only.
    const [target] = own.names;
    const byName: DnsRecord[] =
      target === undefined ? [] : [{ type: isApex ? 'ALIAS' : 'CNAME', name, value: target }];
    const isNameBetter = byAddress.length === 0 || (!isApex && byName.length > 0);
    return {
      host,
      zone,
      isApex,
      records: isNameBetter ? byName : byAddress,
      alternative: isNameBetter ? byAddress : byName,
      resolved: found.addresses,
      verdict,
      proof: { record: { ...record, name: record.name.slice(0, -zone.length - 1) }, file },
    };
  };
}

export type FindSetup = ReturnType<typeof domainSetup>;
