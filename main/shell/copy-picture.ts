import { type Clipboard, ClipboardItem } from 'electron';
import { Refused } from '../requests/refused.ts';

const signature = '89504e470d0a1a0a';

/**
 * Larger images than any of ours would only exhaust the memory of the program they are pasted into. Pixels per side.
 */
const longestSide = 8_192;

/** Copies a PNG to the clipboard. Throws Refused for anything else. */
export async function copyPicture(clipboard: Pick<Clipboard, 'write'>, bytes: Uint8Array): Promise<void> {
  const png = new Uint8Array(bytes);
  if (!isOurKind(Buffer.from(png.buffer))) throw new Refused('Only PNG pictures can be copied.');
  await clipboard.write([new ClipboardItem({ 'image/png': new Blob([png], { type: 'image/png' }) })]);
}

/** Checks the signature and the size in the first chunk (PNG, ISO/IEC 15948, sections 5.2 and 11.2.2). */
function isOurKind(png: Buffer): boolean {
  if (png.length < 33 || png.toString('hex', 0, 8) !== signature) return false;
  const sides = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return sides.every((side) => side > 0 && side <= longestSide);
}
