const shortest = 10 * 60_000;
const longest = 24 * 3_600_000;

/**
 * Milliseconds until the next attempt after some failures in a row: 10 minutes, doubled each time, up to 24 hours
 * (decision 0029), less up to a tenth, so that domains which failed together do not come back together.
 */
export function backOff(failures: number, randomInteger: (below: number) => number): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, 20);
  return jittered(Math.min(shortest * 2 ** exponent, longest), randomInteger);
}

/** Milliseconds until the next look at a domain that is fine: about a day. */
export function untilTomorrow(randomInteger: (below: number) => number): number {
  return jittered(longest, randomInteger);
}

function jittered(milliseconds: number, randomInteger: (below: number) => number): number {
  return milliseconds - randomInteger(Math.floor(milliseconds / 10) + 1);
}
