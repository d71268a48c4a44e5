import type { Sharp } from 'sharp';
import { concurrencyLimit } from '../concurrency/concurrency-limit.ts';
import { fairQueue } from '../concurrency/fair-queue.ts';
import { Refusal, rejected } from '../errors.ts';
import { hasMoreScans } from './jpeg-scans.ts';
import { sharp } from './sharp.ts';

/** The party that needs a picture, and the request field that it came in, for error messages. */
export interface Wanted {
  field: string;
  party: string;
}

/** A picture generated here from an upload. */
export interface Picture {
  body: Buffer;
  type: 'image/png' | 'image/jpeg';
}

/** The maximum width and height in pixels; it limits the memory of pictures that are small when compressed (T-15). */
const longestEdge = 4096;
const secondsPerJob = 5;
/** The maximum number of scans of a JPEG: progressive ones have about ten. */
const mostScans = 64;
const jobsAtOnce = 2;

// Only these loaders are enabled, whatever a file claims to be. SVG is for our own drawings: uploads are checked by
// `sniffImage` first, and no file that passes starts like markup.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadSvgBuffer'],
});
sharp.concurrency(1);
sharp.cache(false);

/** Pictures waiting to be processed; each has some megabytes. */
const mostWaiting = 64;

/** One queue for uploads, fair between accounts, and one for our own drawings. */
const queue = fairQueue({ width: jobsAtOnce, most: mostWaiting });
const limit = concurrencyLimit(jobsAtOnce);

/**
 * A picture cropped to a square (contract, "Limits": an avatar is 500x500), always re-encoded and without metadata.
 * Throws 400 `invalid_image` if it is not a PNG or JPEG, is damaged, or has too many pixels, and 503 if too many of
 * the party's pictures are waiting.
 */
export function squareImage(content: Buffer, edge: number, wanted: Wanted): Promise<Picture> {
  return encode(content, wanted, (image) => image.resize(edge, edge, { fit: 'cover' }));
}

/** A picture scaled down to fit a box, keeping its aspect ratio; otherwise like `squareImage`. */
export function fitImage(
  content: Buffer,
  box: { width: number; height: number },
  wanted: Wanted,
): Promise<Picture> {
  return encode(content, wanted, (image) =>
    image.resize({ ...box, fit: 'inside', withoutEnlargement: true }),
  );
}

/** A picture scaled to fit a box, always as PNG, with its size; otherwise like `fitImage`. */
export async function fitPng(
  content: Buffer,
  box: { width: number; height: number },
  wanted: Wanted,
): Promise<{ body: Buffer; width: number; height: number }> {
  const fit = (image: Sharp) => image.resize({ ...box, fit: 'inside', withoutEnlargement: true });
  const { body } = await encode(content, wanted, fit, 'image/png');
  return { body, ...pngSize(body) };
}

/** Width and height of a PNG generated here. */
export function pngSize(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

/** The pixels of a PNG generated here, four bytes each. */
export async function pixelsOf(png: Buffer): Promise<{ data: Buffer; width: number; height: number }> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** One of our drawings as PNG, at its own size; `density` (dots per inch) is for printing. */
export function rasterized(svg: string, density: number): Promise<Buffer> {
  return limit(() =>
    sharp(Buffer.from(svg)).png({ compressionLevel: 8 }).withMetadata({ density }).toBuffer(),
  );
}

/** A drawing as JPEG, on white where it is transparent, with edges as sharp as the format allows. */
export function flattened(svg: string, density: number): Promise<Buffer> {
  return limit(() =>
    sharp(Buffer.from(svg))
      .flatten({ background: '#fff' })
      .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
      .withMetadata({ density })
      .toBuffer(),
  );
}

/** A drawing as a scanner sees it: on white, in greyscale. */
export function checkPrint(svg: string): Promise<Buffer> {
  return limit(() => sharp(Buffer.from(svg)).flatten({ background: '#fff' }).greyscale().png().toBuffer());
}

/** The same in bad light: slightly out of focus, with two thirds of the contrast. */
export function dimmedCheckPrint(svg: string, blur: number): Promise<Buffer> {
  return limit(() =>
    sharp(Buffer.from(svg))
      .flatten({ background: '#fff' })
      .greyscale()
      .blur(blur)
      .linear(0.65, 40)
      .png()
      .toBuffer(),
  );
}

/** The type of a picture by its first bytes; undefined unless PNG or JPEG. */
export function sniffImage(content: Buffer): Picture['type'] | undefined {
  if (content.subarray(0, 8).equals(pngMagic)) return 'image/png';
  if (content.subarray(0, 3).equals(jpegMagic)) return 'image/jpeg';
  return undefined;
}

const pngMagic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegMagic = Buffer.from([0xff, 0xd8, 0xff]);

async function encode(
  content: Buffer,
  { field, party }: Wanted,
  change: (image: Sharp) => Sharp,
  as?: Picture['type'],
): Promise<Picture> {
  const sniffed = sniffImage(content);
  if (!sniffed) throw invalidImage(field);
  const type = as ?? sniffed;
  try {
    return await queue.run(party, async () => {
      if (sniffed === 'image/jpeg' && (await hasMoreScans(content, mostScans))) throw invalidImage(field);
      const image = sharp(content, { failOn: 'warning', limitInputPixels: longestEdge ** 2, pages: 1 });
      // Rotated according to its metadata, before that is removed.
      const changed = change(image.autoOrient()).timeout({ seconds: secondsPerJob });
      const encoded = type === 'image/png' ? changed.png() : changed.jpeg({ quality: 88 });
      return { body: await encoded.toBuffer(), type };
    });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw invalidImage(field);
  }
}

function invalidImage(field: string): Refusal {
  const edge = longestEdge.toString();
  return rejected('invalid_image', field, `Use a PNG or JPEG picture of at most ${edge} x ${edge} pixels.`);
}
