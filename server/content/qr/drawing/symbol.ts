import type { QrStyle } from '../../../contract/qr.ts';
import type { QrSymbol } from '../symbol.ts';
import { type Bare, framed } from './frames.ts';
import type { Lettering } from './lettering.ts';
import { eyePath, isInEye, modulePath, pupilPath } from './modules.ts';
import { type Box, type Paint, placed, type Scene, type Shape } from './scene.ts';

/** Width and height of the logo's picture; only their ratio counts. */
export interface LogoShape {
  width: number;
  height: number;
}

/** Draws a symbol in a style. Modules below the logo are left out, with half a module around it. */
export function drawing(
  symbol: QrSymbol,
  style: QrStyle,
  logo: LogoShape | undefined,
  caption: Lettering | undefined,
): Scene {
  const { size } = symbol;
  const { margin } = style;
  const picture = logo && logoBox(size, style.logosize, logo);
  const isDark = (x: number, y: number) =>
    symbol.isDark(x, y) && !isInEye(size, x, y) && !(picture && isBelow(picture, x, y));
  const paint = paintOf(style, size, margin);
  const plain = (color: string | null): Paint => (color === null ? paint : { kind: 'plain', color });
  const shapes: Shape[] = [
    { path: modulePath(style.modules, size, isDark), paint },
    { path: eyePath(style.eyes, size), paint: plain(style.eyecolor) },
    { path: pupilPath(style.pupils, size), paint: plain(style.pupilcolor ?? style.eyecolor) },
  ].map((shape) => ({ ...shape, path: placed(shape.path, margin, margin) }));
  const bare: Bare = {
    edge: size + 2 * margin,
    shapes,
    picture: picture && { ...picture, x: picture.x + margin, y: picture.y + margin },
  };
  return framed(bare, style, caption);
}

/** The share of a symbol's modules that a logo takes away, from 0 to 1. */
export function coveredShare(symbol: QrSymbol, logosize: number, logo: LogoShape): number {
  const { size } = symbol;
  const picture = logoBox(size, logosize, logo);
  let covered = 0;
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) if (isBelow(picture, x, y)) covered += 1;
  }
  return covered / size ** 2;
}

function logoBox(size: number, logosize: number, { width, height }: LogoShape): Box {
  const most = (size * logosize) / 100;
  const scale = most / Math.max(width, height);
  const wide = width * scale;
  const high = height * scale;
  return { x: (size - wide) / 2, y: (size - high) / 2, width: wide, height: high };
}

function isBelow(picture: Box, x: number, y: number): boolean {
  const around = 0.5;
  return (
    x + 1 > picture.x - around &&
    x < picture.x + picture.width + around &&
    y + 1 > picture.y - around &&
    y < picture.y + picture.height + around
  );
}

function paintOf({ gradient, foreground }: QrStyle, size: number, margin: number): Paint {
  if (!gradient) return { kind: 'plain', color: foreground };
  const { from, to } = gradient;
  const middle = margin + size / 2;
  if (gradient.type === 'radial') {
    return { kind: 'radial', from, to, circle: [middle, middle, size * 0.7] };
  }
  const angle = (gradient.angle * Math.PI) / 180;
  // Long enough that its ends are in the corners, whatever the angle.
  const reach = (size / 2) * (Math.abs(Math.cos(angle)) + Math.abs(Math.sin(angle)));
  const dx = Math.cos(angle) * reach;
  const dy = Math.sin(angle) * reach;
  return { kind: 'linear', from, to, line: [middle - dx, middle - dy, middle + dx, middle + dy] };
}
