/** What tells a copy that had to take another alias. */
interface Copied {
  /** The host of its address. */
  readonly place: string;
  readonly longurl: string;
  readonly title: string | null;
}

/**
 * The links that an earlier copy made under aliases of their own, where a link could not keep its alias: without them each
 * copy would make such a link once more. A link there stands for one original, so that two to the same destination stay two.
 */
export function earlierCopies(there: readonly Copied[]) {
  const waiting = Map.groupBy(there, keyOf);
  return {
    /** Whether an original has its copy there already. An original without a title may have been given one there. */
    take(original: Copied): boolean {
      const found = waiting.get(keyOf(original)) ?? [];
      const index = original.title ? found.findIndex(({ title }) => title === original.title) : 0;
      return index >= 0 && found.splice(index, 1).length > 0;
    },
  };
}

function keyOf({ place, longurl }: Copied): string {
  return `${place} ${longurl}`;
}
