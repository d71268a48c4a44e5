/** The properties by which a copy with a different alias is recognized. */
export interface Copied {
  /** Host of the short link. */
  readonly place: string;
  readonly longurl: string;
  readonly title: string | null;
}

/**
 * Links that probably exist already as copies with a different alias: same host, destination and title. Each link at
 * the destination is matched with only one original, so that two originals with the same destination stay two. An
 * original without a title may have been given one by the server; such originals match the links left over by those
 * with titles.
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
