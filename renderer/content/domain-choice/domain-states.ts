import type { BrandedDomain, ProofState } from '../../../server/contract/domains.ts';

/** How a step of a domain stands. The name below `domains.stateLabels` says it; tone and icon only repeat it. */
export interface DomainState {
  readonly tone: 'good' | 'wait' | 'bad' | 'off';
  readonly name: string;
}

/** What is known of a domain beyond the published record; absent at servers that do not tell. */
export interface DomainFacts {
  readonly disabled?: boolean | undefined;
  /** How far the proof is that the domain is the account's. */
  readonly proof?: ProofState | undefined;
  /** Days until the certificate ends. */
  readonly daysLeft?: number | undefined;
  /** Whether the last attempt to get a certificate failed. */
  readonly hasFailed?: boolean | undefined;
  readonly ssl?: 'off' | 'external' | 'local' | 'acme' | undefined;
}

/** Where the domain's name leads. */
export function dnsState(domain: BrandedDomain): DomainState {
  if (domain.dns_status === undefined) return { tone: 'off', name: 'unknown' };
  if (domain.dns_status === 0) {
    return { tone: 'bad', name: domain.resolved_ip ? 'elsewhere' : 'nowhere' };
  }
  // The last good state stays while the name servers are silent.
  if ((domain.dns_failure_count ?? 0) > 0) return { tone: 'wait', name: 'unanswered' };
  return { tone: 'good', name: domain.dns_type === 'cloudflare' ? 'cloudflare' : 'here' };
}

/** Whether it is proved whose it is. */
export function proofState(proof: ProofState): DomainState {
  if (proof === 'proved') return { tone: 'good', name: 'proved' };
  return { tone: 'wait', name: proof === 'automatic' ? 'checkedSoon' : 'unproved' };
}

/** Whether short links work on it. */
export function routingState(domain: BrandedDomain, facts: DomainFacts = {}): DomainState {
  if (facts.disabled) return { tone: 'off', name: 'disabled' };
  if (domain.status === 0) return { tone: 'bad', name: facts.disabled === false ? 'givenUp' : 'inactive' };
  if (domain.server_synced === undefined) return { tone: 'off', name: 'unknown' };
  if (facts.proof === 'pending') return { tone: 'wait', name: 'unproved' };
  return domain.server_synced === 1 ? { tone: 'good', name: 'active' } : { tone: 'wait', name: 'waiting' };
}

/** Days before its end at which a certificate that was not renewed deserves a look; renewal begins at 30. */
const worrying = 14;

/** Whether visitors get it over HTTPS. */
export function certificateState(domain: BrandedDomain, facts: DomainFacts = {}): DomainState {
  if (facts.ssl === 'external') return { tone: 'good', name: 'external' };
  if (facts.ssl === 'off') return { tone: 'off', name: 'off' };
  if (domain.ssl_status === undefined) return { tone: 'off', name: 'unknown' };
  if (domain.ssl_status === 1) {
    if (facts.daysLeft === undefined) return { tone: 'good', name: 'valid' };
    if (facts.daysLeft < 0) return { tone: 'bad', name: 'ended' };
    return { tone: facts.daysLeft < worrying ? 'wait' : 'good', name: 'valid' };
  }
  if (facts.hasFailed) return { tone: 'bad', name: 'failed' };
  return { tone: 'wait', name: 'pending' };
}

/** Whether an owner has something to do. */
export function needsAttention(domain: BrandedDomain, facts: DomainFacts = {}): boolean {
  if (facts.disabled) return false;
  if (facts.proof === 'pending') return true;
  return [dnsState(domain), routingState(domain, facts), certificateState(domain, facts)].some(
    ({ tone }) => tone === 'bad',
  );
}

/** Whole days from `now` until a date; negative once it has passed. */
export function daysUntil(date: Date, now: number): number {
  return Math.floor((date.getTime() - now) / 86_400_000);
}
