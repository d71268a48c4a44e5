/** What tells a copy that had to take another alias. */
export interface Copied {
  /** The host of its address. */
  readonly place: string;
  readonly longurl: string;
  readonly title: string | null;
}

/**
 * Which links seem to be there already as copies that had to take an alias of their own: same host, same destination, same
 * title. A link there stands for one original, so that two to the same destination stay two. An original without a title may
 * have been given one there, so it has what those with titles leave.
 */
export function earlierCopies<Original extends Copied>(
  originals: readonly Original[],
  there: readonly Copied[],
): Set<Original> {
  const left = Map.groupBy(there, keyOf);
  const isTaken = (original: Original, isIt: (copy: Copied) => boolean): boolean => {
    const found = left.get(keyOf(original)) ?? [];
    const index = found.findIndex(isIt);
    return index >= 0 && found.splice(index, 1).length > 0;
  };
  const titled = originals.filter((original) => original.title);
  const others = originals.filter((original) => !original.title);
  return new Set([
    ...titled.filter((original) => isTaken(original, ({ title }) => title === original.title)),
    ...others.filter((original) => isTaken(original, ({ title }) => !title) || isTaken(original, () => true)),
  ]);
}

function keyOf({ place, longurl }: Copied): string {
  return `${place} ${longurl}`;
}
