import type { BrandedDomain, ProofState } from '../../../server/contract/domains.ts';

/**
 * Status of one aspect of a domain. The label under `domains.stateLabels` names it; tone and icon are only a visual
 * aid.
 */
export interface DomainState {
  readonly tone: 'good' | 'wait' | 'bad' | 'off';
  readonly name: string;
}

/** Data about a domain beyond the base contract; undefined on servers that do not provide it. */
export interface DomainFacts {
  readonly disabled?: boolean | undefined;
  /** Progress of the ownership verification. */
  readonly proof?: ProofState | undefined;
  /** Days until the certificate expires. */
  readonly daysLeft?: number | undefined;
  /** Whether the last attempt to obtain a certificate failed. */
  readonly hasFailed?: boolean | undefined;
  readonly ssl?: 'off' | 'external' | 'local' | 'acme' | undefined;
}

/** Status of the domain's DNS records. */
export function dnsState(domain: BrandedDomain): DomainState {
  if (domain.dns_status === undefined) return { tone: 'off', name: 'unknown' };
  if (domain.dns_status === 0) {
    return { tone: 'bad', name: domain.resolved_ip ? 'elsewhere' : 'nowhere' };
  }
  // The last good state remains while name servers do not respond.
  if ((domain.dns_failure_count ?? 0) > 0) return { tone: 'wait', name: 'unanswered' };
  return { tone: 'good', name: domain.dns_type === 'cloudflare' ? 'cloudflare' : 'here' };
}

/** Status of the ownership verification. */
export function proofState(proof: ProofState): DomainState {
  if (proof === 'proved') return { tone: 'good', name: 'proved' };
  return { tone: 'wait', name: proof === 'automatic' ? 'checkedSoon' : 'unproved' };
}

/** Whether short links work on the domain. */
export function routingState(domain: BrandedDomain, facts: DomainFacts = {}): DomainState {
  if (facts.disabled) return { tone: 'off', name: 'disabled' };
  if (domain.status === 0) return { tone: 'bad', name: facts.disabled === false ? 'givenUp' : 'inactive' };
  if (domain.server_synced === undefined) return { tone: 'off', name: 'unknown' };
  if (facts.proof === 'pending') return { tone: 'wait', name: 'unproved' };
  return domain.server_synced === 1 ? { tone: 'good', name: 'active' } : { tone: 'wait', name: 'waiting' };
}

/** Days before expiry from which an unrenewed certificate needs attention; renewal starts at 30. */
const worrying = 14;

/** Status of HTTPS on the domain. */
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

/** Whether the owner needs to act. */
export function needsAttention(domain: BrandedDomain, facts: DomainFacts = {}): boolean {
  if (facts.disabled) return false;
  if (facts.proof === 'pending') return true;
  return [dnsState(domain), routingState(domain, facts), certificateState(domain, facts)].some(
    ({ tone }) => tone === 'bad',
  );
}

/** Whole days from `now` (milliseconds) until a date; negative if it has passed. */
export function daysUntil(date: Date, now: number): number {
  return Math.floor((date.getTime() - now) / 86_400_000);
}
