/**
 * The part of the rotator's visits that goes to each link, between 0 and 1, by its weight: round robin over the sum of
 * the weights (decision 0015). All zero where nothing has a weight.
 */
export function sharesOf(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 0 : weight / sum));
}

/** A weight as typed: a whole number from 0 to 100, else undefined. */
export function readWeight(text: string | number): number | undefined {
  const typed = String(text).trim();
  return /^\d{1,3}$/.test(typed) && Number(typed) <= 100 ? Number(typed) : undefined;
}
