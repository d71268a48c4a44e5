import { contrastOf } from '../../../server/contract/contrast.ts';

/** Preset colors, easy to tell apart; each has a name in the catalogue. */
export const offeredColors = [
  { name: 'red', value: '#E11D48' },
  { name: 'orange', value: '#EA580C' },
  { name: 'amber', value: '#D97706' },
  { name: 'lime', value: '#65A30D' },
  { name: 'green', value: '#16A34A' },
  { name: 'teal', value: '#0D9488' },
  { name: 'sky', value: '#0284C7' },
  { name: 'blue', value: '#2563EB' },
  { name: 'violet', value: '#7C3AED' },
  { name: 'pink', value: '#DB2777' },
  { name: 'brown', value: '#92400E' },
  { name: 'slate', value: '#475569' },
] as const;

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
