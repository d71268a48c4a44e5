import sharp, { type Sharp } from 'sharp';
import { Refusal, rejected } from '../errors.ts';
import { turns } from '../turns.ts';

/** A picture that was made here, out of what somebody sent. */
export interface Picture {
  body: Buffer;
  type: 'image/png' | 'image/jpeg';
}

/** Pixels of one edge; together with the other it bounds the memory of a picture that is small on the wire (T-15). */
const longestEdge = 4096;
const secondsPerJob = 5;
const jobsAtOnce = 2;

// No loader but these two can be reached, whatever a file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] });
sharp.concurrency(1);
sharp.cache(false);

const inTurn = turns(jobsAtOnce);

/**
 * A picture cut to a square (contract, "Limits": an avatar is 500x500), always re-encoded and without metadata.
 * Throws 400 `invalid_image` for what is no PNG or JPEG, is damaged, or has too many pixels.
 */
export function squareImage(content: Buffer, edge: number, field: string): Promise<Picture> {
  return encode(content, field, (image) => image.resize(edge, edge, { fit: 'cover' }));
}

/** A picture that fits into a box and keeps its shape; never enlarged, otherwise like `squareImage`. */
export function fitImage(
  content: Buffer,
  box: { width: number; height: number },
  field: string,
): Promise<Picture> {
  return encode(content, field, (image) => image.resize({ ...box, fit: 'inside', withoutEnlargement: true }));
}

/** The type of a picture by its first bytes; undefined for all but PNG and JPEG. */
export function sniffImage(content: Buffer): Picture['type'] | undefined {
  if (content.subarray(0, 8).equals(pngMagic)) return 'image/png';
  if (content.subarray(0, 3).equals(jpegMagic)) return 'image/jpeg';
  return undefined;
}

const pngMagic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegMagic = Buffer.from([0xff, 0xd8, 0xff]);

async function encode(content: Buffer, field: string, change: (image: Sharp) => Sharp): Promise<Picture> {
  const type = sniffImage(content);
  if (!type) throw invalidImage(field);
  try {
    return await inTurn(async () => {
      const image = sharp(content, { failOn: 'warning', limitInputPixels: longestEdge ** 2, pages: 1 });
      // Turned as the camera meant it, before the note that says so is dropped with all other metadata.
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
