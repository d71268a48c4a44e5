import type { QrStyle } from '../../../contract/qr.ts';
import { rejected } from '../../../platform/errors.ts';
import { pngSize } from '../../../platform/images/images.ts';
import { bestSymbol, type QrSymbol, symbolOf } from '../symbol.ts';
import type { Lettering } from './lettering.ts';
import type { Scene } from './scene.ts';
import { drawing } from './symbol.ts';

/** A code to draw. */
export interface Design {
  symbol: QrSymbol;
  scene: Scene;
}

/** Everything that a code's drawing consists of. Can be sent to a thread. */
export interface DesignParts {
  text: string;
  style: QrStyle;
  logo: Buffer | undefined;
  /** The caption's outlines: fonts are in the bundle, where threads do not reach. */
  letters: Lettering | undefined;
}

/** Draws a code; undefined when it cannot hold the text. */
export function designWith({ text, style, logo, letters }: DesignParts): Design | undefined {
  const symbol =
    style.correction === 'auto' ? bestSymbol(text, logo !== undefined) : symbolOf(text, style.correction);
  return symbol && { symbol, scene: drawing(symbol, style, logo && pngSize(logo), letters) };
}

/** 400: a code in this style cannot hold so much. */
export function tooLong({ correction }: QrStyle) {
  return rejected(
    'content_too_long',
    'data',
    correction === 'auto' || correction === 'L'
      ? 'This content is too long for a QR code. Shorten it.'
      : `This content is too long for a QR code with error correction ${correction}. Shorten it, or choose automatic.`,
  );
}
