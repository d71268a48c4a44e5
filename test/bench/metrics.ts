/** The median and spread of some measurements. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** The spread of at least one value. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = sortedValues(values);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
  return { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

/** `1.02 (0.98 to 1.10)`: the median, with minimum and maximum in brackets. */
export function describeSpread(values: readonly number[], digits = 2): string {
  const { median, min, max } = spreadOf(values);
  return `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
}

/** The quantile for a share between 0 and 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = sortedValues(values);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function sortedValues(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}
