/** How many deleted records of a type are kept: per person, and per account in total. */
export interface Bounds {
  each: number;
  together: number;
}

/** One person's share of the account's total: nobody can fill an account's trash alone. */
const shares = 10;

/** The limits of an account in which each person keeps this many. */
export function boundsOf(each: number): Bounds {
  return { each, together: each * shares };
}

/**
 * How many records each person of an account has too many, given how many each has. If the total is exceeded, those
 * with the most are reduced to a common level: nobody can displace records within another person's equal share.
 */
export function surplus(totals: readonly number[], { each, together }: Bounds): number[] {
  let left = together;
  let level = each;
  const sorted = [...totals].sort((one, other) => one - other);
  for (const [index, total] of sorted.entries()) {
    const equal = Math.floor(left / (sorted.length - index));
    if (total > equal) {
      level = Math.min(each, equal);
      break;
    }
    left -= total;
  }
  return totals.map((total) => Math.max(0, total - level));
}
