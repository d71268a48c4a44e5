import type { QrStyle } from '../../../contract/qr.ts';
import { readableOn } from '../colors.ts';
import { capitalHeight, type Lettering } from './lettering.ts';
import { type Box, type Paint, type Path, placed, roundBox, type Scene, type Shape } from './scene.ts';

/** The default caption of a frame. */
const usualCaption = 'Scan me';

/** The caption of a style's frame; undefined if it has no place for one. */
export function captionOf({ frame, caption: text }: Pick<QrStyle, 'frame' | 'caption'>): string | undefined {
  return frame === 'none' || frame === 'border' ? undefined : text || usualCaption;
}

/** A code with its quiet zone, from 0 to `edge` in both directions. */
export interface Bare {
  edge: number;
  shapes: readonly Shape[];
  picture: Box | undefined;
}

/**
 * Puts a code into its frame, with its caption as outlines. All measures are shares of the code's edge, so that every
 * version looks alike.
 */
export function framed(bare: Bare, style: QrStyle, drawnCaption: Lettering | undefined): Scene {
  const { edge } = bare;
  if (style.frame === 'none') {
    const ground =
      style.background === 'transparent'
        ? []
        : [box({ x: 0, y: 0, width: edge, height: edge }, 0, style.background)];
    return { width: edge, height: edge, shapes: [...ground, ...bare.shapes], picture: bare.picture };
  }
  const frameColor = style.framecolor ?? (style.gradient ? style.gradient.from : style.foreground);
  const ground = style.background === 'transparent' ? '#FFFFFF' : style.background;
  const line = edge * 0.03;
  const bar = edge * 0.17;
  const round = edge * 0.07;
  const width = edge + 2 * line;
  const letters = drawnCaption && {
    drawn: drawnCaption,
    color: style.captioncolor ?? readableOn(frameColor),
  };
  const inset = (top: number) => ({ x: line, y: top, width: edge, height: edge });

  if (style.frame === 'border') {
    const height = edge + 2 * line;
    return scene(bare, width, height, line, line, [
      box({ x: 0, y: 0, width, height }, round, frameColor),
      box(inset(line), round - line, ground),
    ]);
  }
  if (style.frame === 'bubble') {
    const gap = edge * 0.07;
    const height = edge + 2 * line + gap + bar;
    const top = edge + 2 * line + gap;
    const middle = width / 2;
    const pointer: Path = [
      ['M', middle - gap, top + gap * 0.2],
      ['L', middle, top - gap * 0.75],
      ['L', middle + gap, top + gap * 0.2],
      ['Z'],
    ];
    return scene(bare, width, height, line, line, [
      box({ x: 0, y: 0, width, height: edge + 2 * line }, round, frameColor),
      box(inset(line), round - line, ground),
      { path: pointer, paint: { kind: 'plain', color: frameColor } },
      box({ x: 0, y: top, width, height: bar }, bar / 2.6, frameColor),
      ...caption(letters, { x: 0, y: top, width, height: bar }),
    ]);
  }
  const height = edge + line + bar;
  const atTop = style.frame === 'top';
  const codeTop = atTop ? bar : line;
  const barBox = { x: 0, y: atTop ? 0 : edge + line, width, height: bar };
  return scene(bare, width, height, line, codeTop, [
    box({ x: 0, y: 0, width, height }, round, frameColor),
    box(inset(codeTop), round - line, ground),
    ...caption(letters, barBox),
  ]);
}

function scene(bare: Bare, width: number, height: number, dx: number, dy: number, around: Shape[]): Scene {
  const { picture } = bare;
  return {
    width,
    height,
    shapes: [...around, ...bare.shapes.map((shape) => movedShape(shape, dx, dy))],
    picture: picture && { ...picture, x: picture.x + dx, y: picture.y + dy },
  };
}

function movedShape({ path, paint }: Shape, dx: number, dy: number): Shape {
  return { path: placed(path, dx, dy), paint: movedPaint(paint, dx, dy) };
}

function movedPaint(paint: Paint, dx: number, dy: number): Paint {
  if (paint.kind === 'linear') {
    const [x1, y1, x2, y2] = paint.line;
    return { ...paint, line: [x1 + dx, y1 + dy, x2 + dx, y2 + dy] };
  }
  if (paint.kind === 'radial') {
    const [x, y, radius] = paint.circle;
    return { ...paint, circle: [x + dx, y + dy, radius] };
  }
  return paint;
}

/** The caption in the middle of its bar, as large as fits. */
function caption(letters: { drawn: Lettering; color: string } | undefined, bar: Box): Shape[] {
  if (!letters || letters.drawn.width === 0) return [];
  const { drawn, color } = letters;
  const size = Math.min(bar.height * 0.6, (bar.width * 0.86) / drawn.width);
  const x = bar.x + (bar.width - drawn.width * size) / 2;
  const baseline = bar.y + (bar.height + capitalHeight * size) / 2;
  return [
    { path: placed(drawn.path, x, baseline, size), paint: { kind: 'plain', color }, overlapping: true },
  ];
}

function box(area: Box, radius: number, color: string): Shape {
  return { path: roundBox(area, radius), paint: { kind: 'plain', color } };
}
