import type { QrStyle } from '../contract/qr.ts';
import { rejected } from '../errors.ts';
import { pngSize } from '../images/images.ts';
import { missingLetters } from './drawing/caption.ts';
import type { Scene } from './drawing/scene.ts';
import { drawing } from './drawing/symbol.ts';
import { bestSymbol, type QrSymbol, symbolOf } from './symbol.ts';

/** A code as it is to be drawn. */
export interface Design {
  text: string;
  symbol: QrSymbol;
  scene: Scene;
}

/** What a code is before anything is set on it. */
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

/** Draws a text in a style. Throws 400 when the text is too long, or the caption has letters that cannot be drawn. */
export async function designed(text: string, style: QrStyle, logo: Buffer | undefined): Promise<Design> {
  const symbol =
    style.correction === 'auto' ? bestSymbol(text, logo !== undefined) : symbolOf(text, style.correction);
  if (!symbol) throw tooLong(style);
  if (style.frame !== 'none' && style.caption) {
    const missing = await missingLetters(style.caption);
    if (missing.length > 0) {
      throw rejected(
        'caption_letters',
        'caption',
        `The caption has letters that cannot be drawn: ${missing.slice(0, 5).join(' ')}. Latin, Greek, Cyrillic, Hebrew and Arabic ones can, without vowel signs.`,
      );
    }
  }
  return { text, symbol, scene: await drawing(symbol, style, logo && pngSize(logo)) };
}

function tooLong({ correction }: QrStyle) {
  return rejected(
    'content_too_long',
    'data',
    correction === 'auto' || correction === 'L'
      ? 'This is more than a code can hold. Shorten it.'
      : `This is more than a code can hold with error correction ${correction}. Shorten it, or choose automatic.`,
  );
}
