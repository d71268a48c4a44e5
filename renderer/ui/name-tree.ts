/** An item with its nesting depth: `print/2027` has depth 1 if there is a `print`. */
export type Nested<Item> = Item & { readonly depth: number };

/**
 * Sorts items into tree order, each after its parent, in the alphabet of `locale`. A slash in the name separates the
 * levels; case is ignored.
 */
export function inTree<Item extends { readonly name: string }>(
  items: readonly Item[],
  locale: string,
): Nested<Item>[] {
  const { compare } = new Intl.Collator(locale);
  const named = items.map((item) => ({ item, parts: foldedName(item).split('/') }));
  named.sort((one, other) => compareParts(one.parts, other.parts, compare));
  const above: string[] = [];
  return named.map(({ item, parts }) => {
    const name = parts.join('/');
    while (above.length > 0 && !name.startsWith(`${above.at(-1)}/`)) above.pop();
    const depth = above.length;
    above.push(name);
    return { ...item, depth };
  });
}

/** Whether `item` is nested below `top`, by name. */
export function isBelow(item: { readonly name: string }, top: { readonly name: string }): boolean {
  return foldedName(item).startsWith(`${foldedName(top)}/`);
}

/** Indentation class of an item in a select list. */
export function indentOf({ depth }: Nested<object>): string {
  return ['', 'ps-6', 'ps-10', 'ps-14'][Math.min(depth, 3)] ?? '';
}

function foldedName({ name }: { readonly name: string }): string {
  return name.normalize('NFC').toLowerCase();
}

function compareParts(
  one: readonly string[],
  other: readonly string[],
  compare: (one: string, other: string) => number,
): number {
  for (const [index, part] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    // Words that only differ in what the alphabet ignores still have an order.
    if (part !== against) return compare(part, against) || (part < against ? -1 : 1);
  }
  return one.length - other.length;
}
