import qrcode from 'qrcode';
import { type CorrectionLevel, correctionLevels } from '../../contract/qr-images.ts';

/** A text as modules, without its quiet zone. */
export interface QrSymbol {
  /** Modules of an edge. */
  size: number;
  level: CorrectionLevel;
  isDark(x: number, y: number): boolean;
}

/** The symbol of a text at a level of error correction; undefined when it holds too much for it. */
export function symbolOf(text: string, level: CorrectionLevel): QrSymbol | undefined {
  try {
    const { modules } = qrcode.create(text, { errorCorrectionLevel: level });
    const { size, data } = modules;
    return {
      size,
      level,
      isDark: (x, y) => x >= 0 && y >= 0 && x < size && y < size && data[y * size + x] === 1,
    };
  } catch {
    // The library only throws if the text does not fit any version.
    return undefined;
  }
}

/**
 * The symbol whose level of error correction scans best: M, or more where the code gets no larger by it. With a logo it
 * is H, or Q where H has no room, because the logo hides what only error correction brings back.
 */
export function bestSymbol(text: string, hasLogo: boolean): QrSymbol | undefined {
  if (hasLogo) return symbolOf(text, 'H') ?? symbolOf(text, 'Q');
  let best = symbolOf(text, 'M') ?? symbolOf(text, 'L');
  if (!best) return undefined;
  for (const level of correctionLevels.slice(correctionLevels.indexOf(best.level) + 1)) {
    const stronger = symbolOf(text, level);
    if (stronger?.size === best.size) best = stronger;
  }
  return best;
}
