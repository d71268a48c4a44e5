import type { Source } from './source.ts';

/**
 * Finds import cycles, including type imports (Tarjan's strongly connected components). Returns each cycle as a sorted
 * list of paths.
 */
export function circlesOf(sources: readonly Source[]): string[][] {
  const known = new Set(sources.map(({ path }) => path));
  const targetsOf = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.flatMap(({ target }) => (target !== undefined && known.has(target) ? [target] : [])),
    ]),
  );
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  function walk(path: string): number {
    const number = order.size;
    order.set(path, number);
    lowest.set(path, number);
    open.push(path);
    for (const target of targetsOf.get(path) ?? []) {
      const reached = order.has(target)
        ? open.includes(target)
          ? order.get(target)
          : undefined
        : walk(target);
      if (reached !== undefined) lowest.set(path, Math.min(lowest.get(path) as number, reached));
    }
    if (lowest.get(path) === number) {
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1 || targetsOf.get(path)?.includes(path)) circles.push(circle.sort());
    }
    return open.includes(path) ? (lowest.get(path) as number) : Number.POSITIVE_INFINITY;
  }

  for (const path of known) if (!order.has(path)) walk(path);
  return circles;
}
