import ipaddr from 'ipaddr.js';
import { fixedWindow } from '../../platform/concurrency/fixed-window.ts';
import { networkOf } from '../../platform/http/addresses.ts';

/** Unknown aliases that an address may try in a minute (decision 0003; T-20). */
const notFoundPerMinute = 60;

export interface NotFoundLimiter {
  /** Whether an address gets nothing more in this minute, links that exist included. */
  refusesAll(address: string): boolean;
  /** Counts a miss; false when the address has had its misses for this minute. */
  allow(address: string): boolean;
  secondsLeft(address: string): number;
}

/**
 * Slows down those who guess aliases. An address that has used up its misses is refused altogether, since otherwise the
 * hits among further guesses would still show. Only addresses that may stand for many visitors (loopback and private
 * ones: a proxy that we were not told about) keep their hits, or one scanner behind it would shut out everybody.
 */
export function notFoundLimiter(monotonic: () => number): NotFoundLimiter {
  const failures = fixedWindow({ limit: notFoundPerMinute, windowMs: 60_000, monotonic });
  return {
    refusesAll: (address) =>
      failures.hasAny() && failures.isBlocked(networkOf(address)) && !isShared(address),
    allow(address) {
      const network = networkOf(address);
      if (failures.isBlocked(network)) return false;
      failures.hit(network);
      return true;
    },
    secondsLeft: (address) => failures.secondsLeft(networkOf(address)),
  };
}

function isShared(address: string): boolean {
  return !ipaddr.isValid(address) || ipaddr.process(address).range() !== 'unicast';
}
