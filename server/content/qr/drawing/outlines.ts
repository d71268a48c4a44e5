import { bend, type Command, type Path } from './scene.ts';

/** Whether the module in a column and row is dark. Outside of the symbol none is. */
export type IsDark = (x: number, y: number) => boolean;

interface Corner {
  x: number;
  y: number;
}

/** Radii of a contour's corners by the direction that it turns at. */
export interface CornerStyle {
  /** Corners that stand out, in clockwise order: top left, top right, bottom right, bottom left. */
  convex: readonly [number, number, number, number];
  concave: number;
}

// Right, down, left, up: one more is a right turn.
const steps = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
] as const;

/**
 * The contours of all dark areas. Modules that touch become one area: drawn one by one, fine light lines would show
 * between them wherever a pixel's border does not meet theirs.
 */
export function contours(size: number, isDark: IsDark, style: CornerStyle): Path {
  const edges = edgesOf(size, isDark);
  const path: Command[] = [];
  for (const start of [...edges.keys()]) {
    for (let directions = edges.get(start); directions?.length; directions = edges.get(start)) {
      path.push(...rounded(walk(edges, start, directions[0] as number), style));
    }
  }
  return path;
}

/** Directions of the edges that leave each corner, dark on their right; a corner is y * 4096 + x. */
function edgesOf(size: number, isDark: IsDark): Map<number, number[]> {
  const edges = new Map<number, number[]>();
  const add = (x: number, y: number, direction: number) => {
    const corner = y * 4096 + x;
    const known = edges.get(corner);
    if (known) known.push(direction);
    else edges.set(corner, [direction]);
  };
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (!isDark(x, y)) continue;
      if (!isDark(x, y - 1)) add(x, y, 0);
      if (!isDark(x + 1, y)) add(x + 1, y, 1);
      if (!isDark(x, y + 1)) add(x + 1, y + 1, 2);
      if (!isDark(x - 1, y)) add(x, y + 1, 3);
    }
  }
  return edges;
}

/** Follows edges until they close, taking them away; returns the corners at which they turn. */
function walk(
  edges: Map<number, number[]>,
  start: number,
  first: number,
): (Corner & { from: number; to: number })[] {
  const turns: (Corner & { from: number; to: number })[] = [];
  let corner = start;
  let direction = first;
  take(edges, corner, direction);
  for (;;) {
    const step = steps[direction] as (typeof steps)[number];
    corner += step.y * 4096 + step.x;
    const at = { x: corner % 4096, y: Math.floor(corner / 4096) };
    // Where two areas touch with their corners, a right turn stays with the same one.
    const leaving = edges.get(corner) ?? [];
    const right = (direction + 1) % 4;
    if (corner === start && !leaving.includes(right)) {
      if (direction !== first) turns.push({ ...at, from: direction, to: first });
      return turns;
    }
    const next = leaving.includes(right) ? right : (leaving[0] as number);
    take(edges, corner, next);
    if (next !== direction) turns.push({ ...at, from: direction, to: next });
    direction = next;
  }
}

function take(edges: Map<number, number[]>, corner: number, direction: number): void {
  const left = (edges.get(corner) ?? []).filter((other) => other !== direction);
  if (left.length > 0) edges.set(corner, left);
  else edges.delete(corner);
}

function rounded(turns: (Corner & { from: number; to: number })[], style: CornerStyle): Command[] {
  const path: Command[] = [];
  for (const { x, y, from, to } of turns) {
    const isConvex = to === (from + 1) % 4;
    // A right turn from "up" to "right" is a top left corner.
    const radius = isConvex ? (style.convex[to] as number) : style.concave;
    const before = steps[from] as Corner;
    const after = steps[to] as Corner;
    const startX = x - before.x * radius;
    const startY = y - before.y * radius;
    path.push([path.length === 0 ? 'M' : 'L', startX, startY]);
    path.push(...bend(startX, startY, x, y, x + after.x * radius, y + after.y * radius));
  }
  path.push(['Z']);
  return path;
}
