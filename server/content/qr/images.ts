import { createHash } from 'node:crypto';
import type { QrFormat } from '../../contract/qr.ts';
import { imageBounds } from '../../contract/qr-images.ts';
import type { FairQueue } from '../../platform/concurrency/fair-queue.ts';
import { captionLetters, usualStyle } from './design.ts';
import type { DesignParts } from './drawing/design.ts';
import type { Extent } from './drawing/svg.ts';
import type { Painter } from './painter.ts';
import type { QrRow } from './queries.ts';
import { encodedText, styleOf } from './record.ts';

export interface Rendering {
  type: string;
  /** Strong entity tag (RFC 9110, 8.8.3): another rendering has another one. */
  etag: string;
  body: Buffer;
}

const types: Record<QrFormat, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
};
const usualExtent: Extent = { width: 600, unit: 'px' };
/** Bytes of renderings that are remembered. */
const rememberedBytes = 24_000_000;

/**
 * Reads `?size=`: the picture's width in pixels, or millimeters as `40mm`. It is clamped to the limits, and an invalid
 * size is replaced by the default, because a picture in somebody's page should be shown.
 */
export function readExtent(size: string | null): Extent {
  const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(px|mm)?$/.exec(size ?? '') ?? [];
  if (digits === undefined) return usualExtent;
  const { smallestPixels, largestPixels, largestMillimetres } = imageBounds;
  if (unit === 'mm') return { width: Math.min(largestMillimetres, Math.max(5, Number(digits))), unit };
  return { width: Math.min(largestPixels, Math.max(smallestPixels, Math.round(Number(digits)))), unit: 'px' };
}

interface Options {
  baseUrl: () => string;
  painter: Pick<Painter, 'paint'>;
  queue: FairQueue;
}

/** Renders codes in every format, in the painter's thread, and caches the results. */
export function qrImages({ baseUrl, painter, queue }: Options) {
  const drawn = renderingCache(rememberedBytes);
  /** Renderings in progress by name: requests for the same one wait for it. */
  const underWay = new Map<string, Promise<Rendering>>();

  async function draw(
    parts: Omit<DesignParts, 'letters'>,
    format: QrFormat,
    extent: Extent,
  ): Promise<Rendering> {
    const letters = await captionLetters(parts.style);
    const body = Buffer.from(await painter.paint({ parts: { ...parts, letters }, format, extent }));
    const hash = createHash('sha256').update(`${format} ${extent.width}${extent.unit}\n`).update(body);
    return { type: types[format], etag: `"${hash.digest('base64url').slice(0, 27)}"`, body };
  }

  /** A rendering by its name, drawn when it is the turn of `party` unless it is there. */
  async function rendering(
    name: string,
    party: string,
    drawing: () => Promise<Rendering>,
  ): Promise<Rendering> {
    const known = () => drawn.get(name) ?? underWay.get(name);

    async function drawOnce(): Promise<Rendering> {
      const wanted = drawing();
      underWay.set(name, wanted);
      try {
        const made = await wanted;
        drawn.set(name, made);
        return made;
      } finally {
        underWay.delete(name);
      }
    }

    // Nobody waits in another party's queue; by one's own turn another may have had it drawn.
    return known() ?? queue.run(party, async () => known() ?? drawOnce());
  }

  return {
    /** The code of a text in the usual style, as SVG. Rejects with 503 where too many wait. */
    plain: (text: string, party: string): Promise<Rendering> =>
      rendering(`plain ${text}`, party, () =>
        draw({ text, style: usualStyle, logo: undefined }, 'svg', usualExtent),
      ),

    /** A rendering of a code, drawn when it is the turn of `party`. Rejects with 503 where too many wait. */
    async render(row: QrRow, format: QrFormat, extent: Extent, party: string): Promise<Rendering> {
      const text = encodedText(row, baseUrl());
      const name = `${row.id} ${row.revision} ${format} ${extent.width}${extent.unit} ${text}`;
      return rendering(name, party, () => {
        const style = styleOf(row);
        return draw({ text, style, logo: row.logo_image ?? undefined }, format, extent);
      });
    },
  };
}

export type QrImages = ReturnType<typeof qrImages>;

/** Renderings by name, the oldest dropped when they have too many bytes. */
function renderingCache(most: number) {
  const renderings = new Map<string, Rendering>();
  let bytes = 0;
  /** What an entry takes beside its picture; names have the code's text in them. */
  const sizeOf = (name: string, { body }: Rendering) => body.length + 2 * name.length + 500;
  return {
    get: (name: string): Rendering | undefined => renderings.get(name),
    set(name: string, rendering: Rendering): void {
      const size = sizeOf(name, rendering);
      if (size > most / 4 || renderings.has(name)) return;
      renderings.set(name, rendering);
      bytes += size;
      for (const [oldest, dropped] of renderings) {
        if (bytes <= most) break;
        renderings.delete(oldest);
        bytes -= sizeOf(oldest, dropped);
      }
    },
  };
}
