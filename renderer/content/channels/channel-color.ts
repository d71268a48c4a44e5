import { channelColors } from '../../../server/contract/colors.ts';
import { contrastOf } from '../../../server/contract/contrast.ts';

/** The preset colors; each has a name in the catalogue. */
export const offeredColors = Object.entries(channelColors).map(([name, value]) => ({ name, value }));

/**
 * Normalizes typed text to the stored form, uppercase `#RRGGBB`: with or without `#`, three or six digits; undefined
 * for anything else. Only the result may be used in styles.
 */
export function readColor(text: string | null | undefined): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text?.trim() ?? '')?.[1]?.toUpperCase();
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`;
}

/**
 * Black or white, whichever has the higher contrast (WCAG 2, 1.4.3) with `color` (`#RRGGBB`): always at least 4.58:1.
 */
export function textOn(color: string): '#000000' | '#FFFFFF' {
  return contrastOf(color, '#000000') > contrastOf(color, '#FFFFFF') ? '#000000' : '#FFFFFF';
}
