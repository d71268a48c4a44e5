import { deflateSync } from 'node:zlib';
import type { Scene, Shape } from './scene.ts';
import type { Extent } from './svg.ts';

/** The pixels of a picture, four bytes each: red, green, blue, opacity. */
export interface Pixels {
  width: number;
  height: number;
  data: Buffer;
}

const pointsPer = { px: 72 / 96, mm: 72 / 25.4 };

/**
 * A drawing as a PDF of one page that is exactly as large as it. All shapes are vectors (ISO 32000-1, 8.5), gradients
 * are axial and radial shadings, and the logo is the one picture in it.
 */
export function pdfOf(scene: Scene, logo: Pixels | undefined, { width, unit }: Extent): Buffer {
  const scale = (width * pointsPer[unit]) / scene.width;
  const pageWidth = scene.width * scale;
  const pageHeight = scene.height * scale;
  const shadings: string[] = [];
  // PDF coordinates start at the bottom; flipping the page once keeps all other numbers as in SVG.
  const content = [`${short(scale)} 0 0 ${short(-scale)} 0 ${short(pageHeight)} cm`];
  for (const shape of scene.shapes) content.push(painted(shape, shadings));
  if (logo && scene.picture) {
    const { x, y, width: wide, height: high } = scene.picture;
    content.push(`q ${short(wide)} 0 0 ${short(-high)} ${short(x)} ${short(y + high)} cm /Logo Do Q`);
  }
  const objects: Buffer[] = [
    text('<< /Type /Catalog /Pages 2 0 R >>'),
    text('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    text(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${short(pageWidth)} ${short(pageHeight)}] /Contents 4 0 R /Resources << ${resources(shadings, logo)} >> >>`,
    ),
    stream('', Buffer.from(content.join('\n'), 'latin1')),
  ];
  if (logo) objects.push(...pictureObjects(logo));
  return assembled(objects);
}

function resources(shadings: readonly string[], logo: Pixels | undefined): string {
  const shaded = shadings.map((shading, index) => `/S${index} ${shading}`).join(' ');
  return `/Shading << ${shaded} >> /XObject << ${logo ? '/Logo 5 0 R' : ''} >>`;
}

function painted({ path, paint, overlapping }: Shape, shadings: string[]): string {
  const rule = overlapping ? '' : '*';
  const outline = path
    .map((command) => {
      if (command[0] === 'Z') return 'h';
      const [name, ...numbers] = command;
      return `${numbers.map(short).join(' ')} ${name.toLowerCase()}`;
    })
    .join('\n');
  if (paint.kind === 'plain') return `${rgb(paint.color)} rg\n${outline}\nf${rule}`;
  const colors = `/Function << /FunctionType 2 /Domain [0 1] /N 1 /C0 [${rgb(paint.from)}] /C1 [${rgb(paint.to)}] >> /Extend [true true]`;
  const coordinates =
    paint.kind === 'linear'
      ? `/ShadingType 2 /Coords [${paint.line.map(short).join(' ')}]`
      : `/ShadingType 3 /Coords [${[paint.circle[0], paint.circle[1], 0, ...paint.circle].map(short).join(' ')}]`;
  shadings.push(`<< ${coordinates} /ColorSpace /DeviceRGB ${colors} >>`);
  return `q\n${outline}\nW${rule} n\n/S${shadings.length - 1} sh\nQ`;
}

/** The picture (object 5) and its opacity (object 6). */
function pictureObjects({ width, height, data }: Pixels): Buffer[] {
  const colors = Buffer.alloc(width * height * 3);
  const opacity = Buffer.alloc(width * height);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    data.copy(colors, pixel * 3, pixel * 4, pixel * 4 + 3);
    opacity[pixel] = data[pixel * 4 + 3] as number;
  }
  const common = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
  return [
    stream(`${common} /ColorSpace /DeviceRGB /SMask 6 0 R`, colors),
    stream(`${common} /ColorSpace /DeviceGray`, opacity),
  ];
}

/** Objects numbered from 1, with the table that tells where each begins. */
function assembled(objects: readonly Buffer[]): Buffer {
  const parts = [text('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n')];
  const offsets: number[] = [];
  let at = (parts[0] as Buffer).length;
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([text(`${index + 1} 0 obj\n`), object, text('\nendobj\n')]);
    offsets.push(at);
    at += part.length;
    parts.push(part);
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    text(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

function stream(entries: string, content: Buffer): Buffer {
  const packed = deflateSync(content);
  return Buffer.concat([
    text(`<< ${entries} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`),
    packed,
    text('\nendstream'),
  ]);
}

/** A color as three numbers from 0 to 1. */
function rgb(color: string): string {
  return [1, 3, 5].map((at) => short(Number.parseInt(color.slice(at, at + 2), 16) / 255)).join(' ');
}

function short(value: number): string {
  const text = (Math.round(value * 10_000) / 10_000).toFixed(4);
  return text.replace(/\.?0+$/, '');
}

function text(value: string): Buffer {
  return Buffer.from(value, 'latin1');
}
