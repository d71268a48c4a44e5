/** The list with `id` moved to `index` (clamped); the same array if nothing changes or `id` is not in it. */
export function withMoved<Id>(order: readonly Id[], id: Id, index: number): readonly Id[] {
  const from = order.indexOf(id);
  const to = Math.max(0, Math.min(order.length - 1, index));
  if (from === -1 || from === to) return order;
  const others = order.filter((other) => other !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}

/** The index for an item at `y`, given the vertical centers of the other rows from top to bottom. */
export function placeUnder(middles: readonly number[], y: number): number {
  return middles.filter((middle) => middle < y).length;
}
