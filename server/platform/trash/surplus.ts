/** How many deleted records of a kind are kept: of each person, and of all who create in one account together. */
export interface Bounds {
  each: number;
  together: number;
}

/** What one person's share is of what all have together: nobody alone can fill an account's trash. */
const shares = 10;

/** The bounds of an account in which each person keeps so many. */
export function boundsOf(each: number): Bounds {
  return { each, together: each * shares };
}

/**
 * How many records each person of one account has too many, by how many each has. Where all together have too many,
 * those who have most go down to one level: what somebody has within an equal share is nobody else's to push out.
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
