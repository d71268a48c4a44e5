/** What tells a copy that had to take another alias. */
export interface Copied {
  /** The host of its address. */
  readonly place: string;
  readonly longurl: string;
  readonly title: string | null;
}

/**
 * Which links seem to be there already as copies that had to take an alias of their own: same host, same destination,
 * same title. A link there stands for one original, so that two to the same destination stay two. An original without a
 * title may have been given one there, so it has what those with titles leave.
 */
export function earlierCopies<Original extends Copied>(
  originals: readonly Original[],
  there: readonly Copied[],
): Set<Original> {
  const left = new Map<string, number>();
  const leftOfTitle = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string, by: number) =>
    counts.set(key, (counts.get(key) ?? 0) + by);
  for (const copy of there) {
    add(left, keyOf(copy), 1);
    add(leftOfTitle, titledKeyOf(copy), 1);
  }
  const isTaken = (original: Original, counts: Map<string, number>, key: string): boolean => {
    if (!counts.get(key)) return false;
    add(left, keyOf(original), -1);
    if (counts !== left) add(counts, key, -1);
    return true;
  };
  const titled = originals.filter(({ title }) => title);
  const others = originals.filter(({ title }) => !title);
  return new Set([
    ...titled.filter((original) => isTaken(original, leftOfTitle, titledKeyOf(original))),
    ...others.filter((original) => isTaken(original, left, keyOf(original))),
  ]);
}

function keyOf({ place, longurl }: Copied): string {
  return JSON.stringify([place, longurl]);
}

function titledKeyOf({ place, longurl, title }: Copied): string {
  return JSON.stringify([place, longurl, title]);
}
