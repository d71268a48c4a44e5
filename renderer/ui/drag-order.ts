/** A list with `id` at `index` (clamped); the very same list when it is there already or not in it. */
export function withMoved<Id>(order: readonly Id[], id: Id, index: number): readonly Id[] {
  const from = order.indexOf(id);
  const to = Math.max(0, Math.min(order.length - 1, index));
  if (from === -1 || from === to) return order;
  const others = order.filter((other) => other !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}

/** The place of something at `y` among rows with these middles, from top to bottom. */
export function placeUnder(middles: readonly number[], y: number): number {
  return middles.filter((middle) => middle < y).length;
}
