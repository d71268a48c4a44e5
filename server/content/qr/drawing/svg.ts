import type { Paint, Path, Scene } from './scene.ts';

/** What measures the drawing: pixels or millimetres of its width. */
export interface Extent {
  width: number;
  unit: 'px' | 'mm';
}

/**
 * A drawing as an SVG document. Nothing in it is text: colors are six digits, numbers are numbers, and the picture is
 * base64, so there is nothing to escape.
 */
export function svgOf(scene: Scene, logo: Buffer | undefined, { width, unit }: Extent): string {
  const scale = width / scene.width;
  const parts: string[] = [];
  const paints: string[] = [];
  for (const { path, paint, overlapping } of scene.shapes) {
    const rule = overlapping ? '' : ' fill-rule="evenodd"';
    parts.push(`<path fill="${fillOf(paint, paints)}"${rule} d="${pathText(path)}"/>`);
  }
  if (logo && scene.picture) {
    const { x, y, width: wide, height: high } = scene.picture;
    parts.push(
      `<image x="${short(x)}" y="${short(y)}" width="${short(wide)}" height="${short(high)}" href="data:image/png;base64,${logo.toString('base64')}"/>`,
    );
  }
  const definitions = paints.length > 0 ? `<defs>${paints.join('')}</defs>` : '';
  const size = `width="${short(width)}${unit === 'mm' ? 'mm' : ''}" height="${short(scene.height * scale)}${unit === 'mm' ? 'mm' : ''}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${short(scene.width)} ${short(scene.height)}">${definitions}${parts.join('')}</svg>`;
}

function fillOf(paint: Paint, paints: string[]): string {
  if (paint.kind === 'plain') return paint.color;
  const id = `g${paints.length}`;
  const stops = `<stop offset="0" stop-color="${paint.from}"/><stop offset="1" stop-color="${paint.to}"/>`;
  if (paint.kind === 'linear') {
    const [x1, y1, x2, y2] = paint.line.map(short);
    paints.push(
      `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stops}</linearGradient>`,
    );
  } else {
    const [cx, cy, r] = paint.circle.map(short);
    paints.push(
      `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${cx}" cy="${cy}" r="${r}">${stops}</radialGradient>`,
    );
  }
  return `url(#${id})`;
}

function pathText(path: Path): string {
  return path.map(([name, ...numbers]) => name + numbers.map(short).join(' ')).join('');
}

/** A number with three digits behind the point at most. */
function short(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
