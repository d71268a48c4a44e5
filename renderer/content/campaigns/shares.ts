/**
 * Each link's share of the rotator's visits, from 0 to 1: weighted round robin (decision 0015). All zero if no link has
 * a weight.
 */
export function sharesOf(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 0 : weight / sum));
}

/** Parses a weight: an integer from 0 to 100, else undefined. */
export function readWeight(text: string | number): number | undefined {
  const typed = String(text).trim();
  return /^\d{1,3}$/.test(typed) && Number(typed) <= 100 ? Number(typed) : undefined;
}
