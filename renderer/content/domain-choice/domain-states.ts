import type { BrandedDomain, ProofState } from '../../../server/contract/domains.ts';

/** How a step of a domain stands. The word below `domains.stateLabels` says it; tone and icon only repeat it. */
export interface DomainState {
  readonly tone: 'good' | 'wait' | 'bad' | 'off';
  readonly word: string;
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
  if (domain.dns_status === undefined) return { tone: 'off', word: 'unknown' };
  if (domain.dns_status === 0) {
    return { tone: 'bad', word: domain.resolved_ip ? 'elsewhere' : 'nowhere' };
  }
  // The last good state stays while the name servers are silent.
  if ((domain.dns_failure_count ?? 0) > 0) return { tone: 'wait', word: 'unanswered' };
  return { tone: 'good', word: domain.dns_type === 'cloudflare' ? 'cloudflare' : 'here' };
}

/** Whether it is proved whose it is. */
export function proofState(proof: ProofState): DomainState {
  if (proof === 'proved') return { tone: 'good', word: 'proved' };
  return { tone: 'wait', word: proof === 'automatic' ? 'checkedSoon' : 'unproved' };
}

/** Whether short links work on it. */
export function routingState(domain: BrandedDomain, facts: DomainFacts = {}): DomainState {
  if (facts.disabled) return { tone: 'off', word: 'disabled' };
  if (domain.status === 0) return { tone: 'bad', word: facts.disabled === false ? 'givenUp' : 'inactive' };
  if (domain.server_synced === undefined) return { tone: 'off', word: 'unknown' };
  if (facts.proof === 'pending') return { tone: 'wait', word: 'unproved' };
  return domain.server_synced === 1 ? { tone: 'good', word: 'active' } : { tone: 'wait', word: 'waiting' };
}

/** Days before its end at which a certificate that was not renewed deserves a look; renewal begins at 30. */
const worrying = 14;

/** Whether visitors get it over HTTPS. */
export function certificateState(domain: BrandedDomain, facts: DomainFacts = {}): DomainState {
  if (facts.ssl === 'external') return { tone: 'good', word: 'external' };
  if (facts.ssl === 'off') return { tone: 'off', word: 'off' };
  if (domain.ssl_status === undefined) return { tone: 'off', word: 'unknown' };
  if (domain.ssl_status === 1) {
    if (facts.daysLeft === undefined) return { tone: 'good', word: 'valid' };
    if (facts.daysLeft < 0) return { tone: 'bad', word: 'ended' };
    return { tone: facts.daysLeft < worrying ? 'wait' : 'good', word: 'valid' };
  }
  if (facts.hasFailed) return { tone: 'bad', word: 'failed' };
  return { tone: 'wait', word: 'pending' };
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
