import { draws } from '../../server/operations/seed/random.ts';

/** Replacement values. */
const wrong: unknown[] = [
  ...[null, true, -1, 0.5, 2 ** 53, -(2 ** 60), '', 'x'.repeat(3_000), '\0', '1', '../..'],
  ...[[], {}, [[]], { length: 5 }, '__proto__', Array(600).fill(0), { toString: 1 }],
];

/** Damages messages between machines; deterministic for a seed. */
export function damage(seed: number) {
  const { below: randomInt } = draws(seed);
  const randomBytes = (size: number) => Buffer.from(Array.from({ length: size }, () => randomInt(256)));
  const any = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item;

  /** A copy with one value changed or missing. */
  function damaged(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || randomInt(4) === 0) return any(wrong);
    if (Array.isArray(value)) {
      const at = randomInt(value.length + 1);
      return value
        .map((each, index) => (index === at ? damaged(each) : each))
        .slice(0, randomInt(3) || undefined);
    }
    const entries = Object.entries(value);
    const at = randomInt(entries.length);
    const kept = entries.filter((_, index) => index !== at || randomInt(3) > 0);
    return Object.fromEntries(kept.map(([name, each], index) => [name, index === at ? damaged(each) : each]));
  }

  return { any, damaged, randomBytes, randomInt };
}
