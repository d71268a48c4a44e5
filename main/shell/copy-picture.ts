import { type Clipboard, ClipboardItem } from 'electron';
import { Refused } from '../requests/refused.ts';

const signature = '89504e470d0a1a0a';

/** A picture of more pixels than any of ours would only fill the memory of whoever pastes it. Pixels of one side. */
const longestSide = 8_192;

/** Puts a PNG on the clipboard. Throws Refused for bytes that are none. */
export async function copyPicture(clipboard: Pick<Clipboard, 'write'>, bytes: Uint8Array): Promise<void> {
  const png = new Uint8Array(bytes);
  if (!isOurKind(Buffer.from(png.buffer))) throw new Refused('Only PNG pictures can be copied.');
  await clipboard.write([new ClipboardItem({ 'image/png': new Blob([png], { type: 'image/png' }) })]);
}

/** PNG (ISO/IEC 15948), section 5.2 and 11.2.2: the signature, then width and height in the first chunk. */
function isOurKind(png: Buffer): boolean {
  if (png.length < 33 || png.toString('hex', 0, 8) !== signature) return false;
  const sides = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return sides.every((side) => side > 0 && side <= longestSide);
}
