/**
 * How often a value of the first sample is below one of the second, ties counted half (the Mann-Whitney statistic over
 * the product of the sizes): 0.5 for samples of one distribution, 0 or 1 for samples that do not overlap. It looks at
 * ranks only, so single slow requests of a busy machine say little.
 */
export function shareBelow(first: readonly number[], second: readonly number[]): number {
  let below = 0;
  for (const one of first) {
    for (const other of second) below += one < other ? 1 : one === other ? 0.5 : 0;
  }
  return below / (first.length * second.length);
}

/**
 * Milliseconds that each of two things takes, done in turns so that both meet the same machine; which one comes first
 * changes from turn to turn. The first rounds warm up and are left out.
 */
export async function timeInTurns(
  rounds: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  warmUp = 15,
): Promise<[first: number[], second: number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const startedAt = performance.now();
      await (which === 0 ? first : second)();
      const took = performance.now() - startedAt;
      if (round >= 0) times[which].push(took);
    }
  }
  return times;
}
