const shortest = 10 * 60_000;
const longest = 24 * 3_600_000;

/**
 * Milliseconds until the next attempt after consecutive failures: 10 minutes, doubled each time, up to 24 hours
 * (decision 0029), minus up to a tenth, so that domains that failed together are not retried together.
 */
export function backOff(failures: number, randomInteger: (below: number) => number): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, 20);
  return jittered(Math.min(shortest * 2 ** exponent, longest), randomInteger);
}

/** Milliseconds until the next check of a working domain: about a day. */
export function untilTomorrow(randomInteger: (below: number) => number): number {
  return jittered(longest, randomInteger);
}

function jittered(milliseconds: number, randomInteger: (below: number) => number): number {
  return milliseconds - randomInteger(Math.floor(milliseconds / 10) + 1);
}
