/**
 * The next link of a rotator: the index into `weights` for visit number `turn` (decision 0015: weighted round
 * robin). Over as many visits as the weights add up to, each index comes exactly as often as its
 * weight; equal weights alternate in order, others are spread evenly. Pure. Weights are positive
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

/** A step that visits every slot of a cycle once, close to the golden ratio, so that neighbors end up far apart. */
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
