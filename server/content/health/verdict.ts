import type { BrokenReason } from '../../contract/link-health.ts';
import type { Rule } from '../../contract/rules.ts';
import type { Checked } from '../../platform/fetcher/fetcher.ts';
import type { DueLink, HealthRecord } from './queries.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Destinations that answer are asked once in so long, each at its own time. */
export const roundMs = 7 * day;
/** Three failures in a row, the first and the last three days apart, make a link broken. */
const failuresOfBroken = 3;
const pauseMs = 1.5 * day;
const pauseOfBrokenMs = 2 * day;
/** What could not be asked is asked again. */
export const unknownMs = day;

/** Destinations of one link that are asked. */
const mostAddresses = 10;

/** Where a link leads: its own destination, and those of its rules and variants. */
export function destinationsOf({
  url,
  rules,
  abtesting,
}: Pick<DueLink, 'url' | 'rules' | 'abtesting'>): string[] {
  const all = [
    url,
    ...(JSON.parse(rules) as Rule[]).map((rule) => rule.link),
    ...(JSON.parse(abtesting) as { url: string }[]).map((variant) => variant.url),
  ];
  return [...new Set(all)].slice(0, mostAddresses);
}

/** What is wrong with a destination; null where nothing is, undefined where that is not known. */
export function faultOf(checked: Checked | undefined): BrokenReason | null | undefined {
  if (checked === undefined) return undefined;
  if ('failure' in checked) return checked.failure;
  if (checked.status === 404) return 'not_found';
  if (checked.status === 410) return 'gone';
  // 429 and the refusals of guards against robots say nothing about what people get.
  return checked.status >= 500 ? 'server_error' : null;
}

/** What is to be written down of a link after a check; undefined where nothing new is known. */
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
