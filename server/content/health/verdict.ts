import type { BrokenReason } from '../../contract/link-health.ts';
import type { Checked } from '../../platform/fetcher/fetcher.ts';
import { storedRules, storedVariants } from '../../visits/redirects/stored-lists.ts';
import type { DueLink, HealthRecord } from './queries.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** The interval for working destinations, each at its own time. */
export const roundMs = 7 * day;
/** Three consecutive failures, the first and last three days apart, make a link broken. */
const failuresOfBroken = 3;
const pauseMs = 1.5 * day;
const pauseOfBrokenMs = 2 * day;
/** The interval for destinations that could not be checked. */
export const unknownMs = day;

/** The number of destinations checked per link. */
const mostAddresses = 10;

/** The destinations of a link: its own, and those of its rules and variants. */
export function destinationsOf({
  url,
  rules,
  abtesting,
}: Pick<DueLink, 'url' | 'rules' | 'abtesting'>): string[] {
  const all = [
    url,
    ...storedRules(rules).map((rule) => rule.link),
    ...storedVariants(abtesting).map((variant) => variant.url),
  ];
  return [...new Set(all)].slice(0, mostAddresses);
}

/** What is wrong with a destination; null if nothing, undefined if unknown. */
export function faultOf(checked: Checked | undefined): BrokenReason | null | undefined {
  if (checked === undefined) return undefined;
  if ('failure' in checked) return checked.failure;
  if (checked.status === 404) return 'not_found';
  if (checked.status === 410) return 'gone';
  // 429 and the refusals of guards against robots say nothing about what people get.
  return checked.status >= 500 ? 'server_error' : null;
}

/** What to store for a link after a check; undefined if there is nothing new. */
export function recordOf(
  link: DueLink,
  faults: readonly { address: string; fault: BrokenReason | null | undefined }[],
  now: number,
): HealthRecord | undefined {
  const failed = faults.find(({ fault }) => fault);
  if (!failed?.fault) {
    if (faults.some(({ fault }) => fault === undefined)) return undefined;
    const due_at = now + roundMs;
    return {
      due_at,
      checked_at: now,
      failures: 0,
      failed_at: null,
      broken_at: null,
      reason: null,
      address: null,
    };
  }
  const failures = link.failures + 1;
  const failed_at = link.failed_at ?? now;
  const isBroken = failures >= failuresOfBroken && now - failed_at >= (failuresOfBroken - 1) * pauseMs;
  const pause = isBroken ? Math.min(roundMs, pauseOfBrokenMs * 2 ** (failures - failuresOfBroken)) : pauseMs;
  return {
    due_at: now + pause,
    checked_at: now,
    failures,
    failed_at,
    broken_at: link.broken_at ?? (isBroken ? now : null),
    reason: failed.fault,
    address: failed.address,
  };
}
