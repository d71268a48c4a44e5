/** One step of an outline. Every drawing is made of these four, which SVG and PDF both have. */
export type Command =
  | readonly ['M' | 'L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z'];

/** Closed outlines. */
export type Path = readonly Command[];

export type Paint =
  | { readonly kind: 'plain'; readonly color: string }
  | {
      readonly kind: 'linear';
      readonly from: string;
      readonly to: string;
      readonly line: readonly [number, number, number, number];
    }
  | {
      readonly kind: 'radial';
      readonly from: string;
      readonly to: string;
      readonly circle: readonly [number, number, number];
    };

/** Outlines that are filled by the even-odd rule, or by the non-zero one when they may overlap (letters do). */
export interface Shape {
  readonly path: Path;
  readonly paint: Paint;
  readonly overlapping?: boolean;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A drawing without text or markup: users' text is in it only as outlines. The unit is a module. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
  /** Where the logo stands, above all shapes. */
  readonly picture: Box | undefined;
}

/** Radii of a box's corners: top left, top right, bottom right, bottom left. */
export type Corners = readonly [number, number, number, number];

/** How far the handles of a Bézier curve stand off for a quarter of a circle of radius 1. */
const quarter = 0.5522847498;

/** A box with rounded corners. */
export function roundBox({ x, y, width, height }: Box, radius: number | Corners): Path {
  const most = Math.min(width, height) / 2;
  const radii = typeof radius === 'number' ? ([radius, radius, radius, radius] as const) : radius;
  const [topLeft, topRight, bottomRight, bottomLeft] = radii.map((each) =>
    Math.min(each, most),
  ) as unknown as Corners;
  const right = x + width;
  const bottom = y + height;
  return [
    ['M', x + topLeft, y],
    ['L', right - topRight, y],
    ...bend(right - topRight, y, right, y, right, y + topRight),
    ['L', right, bottom - bottomRight],
    ...bend(right, bottom - bottomRight, right, bottom, right - bottomRight, bottom),
    ['L', x + bottomLeft, bottom],
    ...bend(x + bottomLeft, bottom, x, bottom, x, bottom - bottomLeft),
    ['L', x, y + topLeft],
    ...bend(x, y + topLeft, x, y, x + topLeft, y),
    ['Z'],
  ];
}

/** A quarter turn from one point to another around a corner; nothing where they are the same. */
export function bend(
  x1: number,
  y1: number,
  cornerX: number,
  cornerY: number,
  x2: number,
  y2: number,
): Command[] {
  if (x1 === x2 && y1 === y2) return [];
  const rest = 1 - quarter;
  return [
    [
      'C',
      cornerX + (x1 - cornerX) * rest,
      cornerY + (y1 - cornerY) * rest,
      cornerX + (x2 - cornerX) * rest,
      cornerY + (y2 - cornerY) * rest,
      x2,
      y2,
    ],
  ];
}

/** A path moved and scaled. */
export function placed(path: Path, dx: number, dy: number, scale = 1): Path {
  return path.map((command): Command => {
    if (command[0] === 'Z') return command;
    const [name, ...numbers] = command;
    return [
      name,
      ...numbers.map((value, index) => value * scale + (index % 2 === 0 ? dx : dy)),
    ] as unknown as Command;
  });
}
