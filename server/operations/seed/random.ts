/** Draws that look random and are the same for the same seed. */
export interface Draws {
  /** From 0 up to 1. */
  next(): number;
  /** An integer from 0 to below the argument. */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** One item of [item, weight] pairs. */
  weighted<Item>(pairs: readonly (readonly [Item, number])[]): Item;
}

/** mulberry32. */
export function draws(seed: number): Draws {
  let state = seed | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    weighted(pairs) {
      let left = next() * pairs.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of pairs) {
        left -= weight;
        if (left < 0) return item;
      }
      return (pairs.at(-1) as (typeof pairs)[number])[0];
    },
  };
}

/** Picks positions from 0 to below `size` so that the n-th is about n times rarer than the first (Zipf). */
export function zipf(size: number, random: Draws, exponent = 0.95): () => number {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let index = 0; index < size; index += 1) {
    sum += 1 / (index + 1) ** exponent;
    sums[index] = sum;
  }
  return () => {
    const wanted = random.next() * sum;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
