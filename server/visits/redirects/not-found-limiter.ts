import ipaddr from 'ipaddr.js';
import { fixedWindow } from '../../platform/concurrency/fixed-window.ts';
import { networkOf } from '../../platform/http/addresses.ts';

/** Unknown aliases that an address may request per minute (decision 0003; T-20). */
const notFoundPerMinute = 60;

export interface NotFoundLimiter {
  /** Whether an address gets no more responses in this minute, including for existing links. */
  refusesAll(address: string): boolean;
  /** Counts a miss; false if the address has reached its limit for this minute. */
  allow(address: string): boolean;
  secondsLeft(address: string): number;
}

/**
 * Slows down guessing of aliases. An address above the limit is rejected completely, since otherwise hits among
 * further guesses would still show. Only addresses that may represent many visitors (loopback and private ones: an
 * unconfigured proxy) keep their hits, or a single scanner behind it would lock out everyone.
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
