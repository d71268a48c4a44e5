import { createHash } from 'node:crypto';
import { boundedCache } from '../clicks/bounded-cache.ts';
import { imageBounds, type QrStyle } from '../contract/qr.ts';
import { pixelsOf, rasterized } from '../images/images.ts';
import { type Design, designed } from './design.ts';
import { pdfOf } from './drawing/pdf.ts';
import { type Extent, svgOf } from './drawing/svg.ts';
import type { QrRow } from './queries.ts';
import { encodedText } from './record.ts';

export type ImageFormat = 'png' | 'svg' | 'pdf';

/** A rendering that has a name already and is drawn when it is wanted. */
export interface Rendering {
  type: string;
  /** Strong entity tag (RFC 9110, 8.8.3): another rendering has another one. */
  etag: string;
  body(): Promise<Buffer>;
}

const types: Record<ImageFormat, string> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
};
const usualExtent: Extent = { width: 600, unit: 'px' };
const dotsPerInch = 300;
const millimetresPerInch = 25.4;
/** Pixels of a module below which no scanner would read a PNG. */
const leastPerModule = 3;
/** Bytes of drawn PNGs that are remembered. */
const rememberedBytes = 24_000_000;

/**
 * Reads `?size=`: pixels, or millimetres as `40mm`, of the picture's width. What is out of bounds is brought to the
 * nearest bound, and what is no size is the usual one: a picture in somebody's page had better be shown.
 */
export function readExtent(size: string | null): Extent {
  const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(px|mm)?$/.exec(size ?? '') ?? [];
  if (digits === undefined) return usualExtent;
  const { smallestPixels, largestPixels, largestMillimetres } = imageBounds;
  if (unit === 'mm') return { width: Math.min(largestMillimetres, Math.max(5, Number(digits))), unit };
  return { width: Math.min(largestPixels, Math.max(smallestPixels, Math.round(Number(digits)))), unit: 'px' };
}

/** Draws codes in every format. */
export function qrImages({ baseUrl }: { baseUrl: () => string }) {
  const designs = boundedCache<string, Design>(64);
  const drawn = byteCache(rememberedBytes);

  async function designOf(row: QrRow): Promise<Design> {
    const text = encodedText(row, baseUrl());
    const key = `${row.id} ${row.revision} ${text}`;
    const known = designs.get(key);
    if (known) return known;
    const design = await designed(text, JSON.parse(row.style) as QrStyle, row.logo_image ?? undefined);
    designs.set(key, design);
    return design;
  }

  return {
    async render(row: QrRow, format: ImageFormat, extent: Extent): Promise<Rendering> {
      const { scene } = await designOf(row);
      const logo = row.logo_image ?? undefined;
      const svg = svgOf(scene, logo, format === 'png' ? inPixels(extent, scene) : extent);
      const etag = `"${createHash('sha256').update(`${format} ${extent.width}${extent.unit}\n${svg}`).digest('base64url').slice(0, 27)}"`;
      return {
        type: types[format],
        etag,
        async body() {
          if (format === 'svg') return Buffer.from(svg);
          if (format === 'pdf') return pdfOf(scene, logo && (await pixelsOf(logo)), extent);
          const known = drawn.get(etag);
          if (known) return known;
          const png = await rasterized(svg, extent.unit === 'mm' ? dotsPerInch : 72);
          drawn.set(etag, png);
          return png;
        },
      };
    },
  };
}

export type QrImages = ReturnType<typeof qrImages>;

/** The pixels of a PNG: enough for a scanner to tell modules apart, and no more than memory has room for. */
function inPixels({ width, unit }: Extent, scene: { width: number; height: number }): Extent {
  const asked = unit === 'mm' ? (width / millimetresPerInch) * dotsPerInch : width;
  const most = imageBounds.largestPixels * Math.min(1, scene.width / scene.height);
  const least = scene.width * leastPerModule;
  return { width: Math.round(Math.min(most, Math.max(least, asked))), unit: 'px' };
}

/** Buffers by name, the oldest dropped when there are too many bytes. */
function byteCache(most: number) {
  const buffers = new Map<string, Buffer>();
  let bytes = 0;
  return {
    get: (name: string): Buffer | undefined => buffers.get(name),
    set(name: string, buffer: Buffer): void {
      if (buffer.length > most / 4 || buffers.has(name)) return;
      buffers.set(name, buffer);
      bytes += buffer.length;
      for (const [oldest, dropped] of buffers) {
        if (bytes <= most) break;
        buffers.delete(oldest);
        bytes -= dropped.length;
      }
    },
  };
}
