import type {
  DomainDetails,
  DomainLogEntry,
  DomainProof,
  DomainSetup,
  DomainUse,
  FullDomain,
  ProofState,
} from '../../contract/domains.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { storedObject } from '../../platform/text/stored-json.ts';
import { readApps } from './app-links.ts';
import { describePassed, detailsOf } from './dns-check.ts';
import type { DomainUseRow } from './overview-queries.ts';
import { picturePath } from './pictures.ts';
import type { DomainRow, LogRow, StoredDetails } from './record-queries.ts';
import type { DomainSetup as FoundSetup } from './setup.ts';

/** Consecutive failed checks that set a domain's status to 0 (decision 0029). */
const failuresToGiveUp = 10;

/** Contract, "Branded domain". Platform domains show no id (`asAdministrator` does). */
export function presentDomain(row: DomainRow, timezone: string, asAdministrator = false): FullDomain {
  const isPlatform = row.user_id === null;
  return {
    id: isPlatform && !asAdministrator ? null : row.id,
    ...(isPlatform && { platform: true as const }),
    domain: domainAddress(row),
    redirectroot: presentRoot(row),
    redirect404: row.redirect_404,
    redirectexpired: row.redirect_expired,
    redirectearly: row.redirect_early,
    bioid: row.bio_id,
    apps: readApps(row.apps),
    logo: picturePath(row.logo),
    favicon: picturePath(row.favicon),
    status: row.disabled === 0 && row.dns_failure_count < failuresToGiveUp ? 1 : 0,
    dns_type: row.dns_type,
    dns_status: row.dns_status,
    ssl_status: row.ssl_status,
    server_synced: row.server_synced,
    resolved_ip: row.resolved_ip,
    dns_checked_at: presentOptional(row.dns_checked_at, timezone),
    dns_failure_count: row.dns_failure_count,
  };
}

/** Where the bare domain redirects; nowhere while it shows a bio page (contract: the two are mutually exclusive). */
export function presentRoot(row: Pick<DomainRow, 'redirect_root' | 'bio_id'>): string | null {
  return row.bio_id === null ? row.redirect_root : null;
}

/** The API representation of a domain: without a port, whatever the port of this process (decision 0029). */
export function domainAddress({ host }: Pick<DomainRow, 'host'>): string {
  return `https://${host}`;
}

export function presentLogEntry(row: LogRow, timezone: string): DomainLogEntry {
  const { id, event, message } = row;
  const details = row.details === null ? null : presentDetails(row.details, timezone);
  return { id, event, message, details, date: presentTimestamp(row.at, timezone) };
}

function presentDetails(stored: string, timezone: string): DomainDetails | null {
  const details = storedObject<StoredDetails>(stored);
  if (!details) return null;
  const { until, ...facts } = details;
  return until === undefined ? facts : { ...facts, until: presentTimestamp(until, timezone) };
}

export function presentSetup(
  { host, isApex, verdict, proof, ...found }: FoundSetup,
  progress: Pick<DomainProof, 'state' | 'lapses'>,
): DomainSetup {
  const message = verdict.outcome === 'passed' ? describePassed(host, verdict) : verdict.message;
  const { record, file } = proof;
  const shown = { ...progress, record: { type: 'TXT' as const, ...record }, file };
  return {
    domain: host,
    apex: isApex,
    ...found,
    outcome: verdict.outcome,
    message,
    details: detailsOf(verdict),
    proof: shown,
  };
}

/** How far the proof of a stored domain is. */
export function presentProofState(
  row: Pick<DomainRow, 'lapses_at' | 'dns_type' | 'proof_failure_count'>,
): ProofState {
  if (row.lapses_at === null) return 'proved';
  return row.dns_type === 'direct' && row.proof_failure_count === 0 ? 'automatic' : 'pending';
}

export function presentUse(row: DomainUseRow, timezone: string): DomainUse {
  const { links, files, bios, campaigns } = row;
  const expires = presentOptional(row.certificate_expires_at, timezone);
  const proof = presentProofState(row);
  const disabled = row.disabled === 1;
  return { domain: domainAddress(row), links, files, bios, campaigns, disabled, proof, expires };
}
