/**
 * Whose turn it is in a rotator: the index into `weights` for the visit number `turn` (decision 0015: round
 * robin, weights allowed). Over as many visits as the weights add up to, each index comes exactly as often as its
 * weight says; equal weights take turns in order, others are spread and not bunched. Pure. Weights are positive
 * integers.
 */
export function whoseTurn(weights: readonly number[], turn: number): number {
  const divisor = weights.reduce(greatestCommonDivisor, 0);
  const shares = weights.map((weight) => weight / divisor);
  const cycle = shares.reduce((sum, share) => sum + share, 0);
  const step = cycle === shares.length ? 1 : stepOf(cycle);
  let slot = ((turn % cycle) * step) % cycle;
  for (const [index, share] of shares.entries()) {
    if (slot < share) return index;
    slot -= share;
  }
  return 0;
}

/** A step that visits every slot of a cycle once, near the golden section of it, where neighbours end up far apart. */
function stepOf(cycle: number): number {
  let step = Math.max(1, Math.round(cycle * 0.618));
  while (greatestCommonDivisor(step, cycle) !== 1) step += 1;
  return step;
}

function greatestCommonDivisor(one: number, other: number): number {
  let [large, small] = [one, other];
  while (small !== 0) [large, small] = [small, large % small];
  return large;
}
