import type { QrStyle } from '../../contract/qr.ts';
import { rejected } from '../../platform/errors.ts';
import { lettering, missingLetters } from './drawing/caption.ts';
import { captionOf } from './drawing/frames.ts';
import type { Lettering } from './drawing/lettering.ts';

/** The default design of a code. */
export const usualStyle: QrStyle = {
  foreground: '#000000',
  background: '#FFFFFF',
  gradient: null,
  modules: 'square',
  eyes: 'square',
  pupils: 'square',
  eyecolor: null,
  pupilcolor: null,
  logosize: 22,
  frame: 'none',
  caption: null,
  framecolor: null,
  captioncolor: null,
  correction: 'auto',
  margin: 4,
};

/**
 * The outlines of a style's caption; undefined where it has none. Throws 400 when it has letters that cannot be drawn.
 */
export async function captionLetters(style: QrStyle): Promise<Lettering | undefined> {
  const caption = captionOf(style);
  if (caption === undefined) return undefined;
  const missing = await missingLetters(caption);
  if (missing.length > 0) {
    throw rejected(
      'caption_letters',
      'caption',
      `The caption has letters that cannot be drawn: ${missing.slice(0, 5).join(' ')}. Latin, Greek, Cyrillic, Hebrew and Arabic ones can, without vowel signs.`,
    );
  }
  return lettering(caption);
}
