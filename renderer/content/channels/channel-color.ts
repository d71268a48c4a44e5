import { contrastOf } from '../../../server/contract/contrast.ts';

/** Colours that are offered, far enough apart to tell from each other; each has a name of its own in the catalogue. */
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
 * A colour in the stored form, `#RRGGBB` in upper case, from what people type: with or without `#`, three digits or
 * six; undefined for everything else. Only what comes out of here may get into a style.
 */
export function readColor(text: string | null | undefined): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text?.trim() ?? '')?.[1]?.toUpperCase();
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`;
}

/** Black or white, whichever has the higher contrast (WCAG 2, 1.4.3) on a colour `#RRGGBB`: at least 4.58 to 1. */
export function textOn(color: string): '#000000' | '#FFFFFF' {
  return contrastOf(color, '#000000') > contrastOf(color, '#FFFFFF') ? '#000000' : '#FFFFFF';
}
