import jsqr from 'jsqr';
import sharp from 'sharp';
import { decoder } from '../../server/content/qr/decoder.ts';

/**
 * How the second decoder sees a picture: pixels of a module, and how far out of focus. It is made for the frames of a
 * camera, of which it takes the first that it can read, and not for clean large prints.
 */
const looks = [
  [3, 0],
  [3, 0.5],
  [5, 1.6],
  [4, 0.8],
] as const;

/** The results of two decoders for a picture on white paper. `modules` is its width. */
export interface Scanned {
  zxing: string | undefined;
  jsqr: string | undefined;
}

/** Two decoders of QR codes that share no code with the program or with each other. */
export function qrScanners() {
  const zxing = decoder();
  return {
    async read(picture: Buffer, modules: number): Promise<Scanned> {
      const paper = await sharp(picture).flatten({ background: '#ffffff' }).png().toBuffer();
      return { zxing: await zxing.decode(paper), jsqr: await filmed(paper, modules) };
    },
    close: zxing.close,
  };
}

async function filmed(paper: Buffer, modules: number): Promise<string | undefined> {
  for (const [pixels, blur] of looks) {
    const small = sharp(paper).resize({ width: Math.round(modules * pixels) });
    const frame = blur > 0 ? small.blur(blur) : small;
    const { data, info } = await frame.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const found = jsqr(new Uint8ClampedArray(data), info.width, info.height, {
      inversionAttempts: 'dontInvert',
    });
    // Bytes, because it guesses at the character set.
    if (found) return Buffer.from(found.binaryData).toString('utf8');
  }
  return undefined;
}
