/** The colours that a remote instance can have, names of the palette; the local one has the product's own. */
export const instanceColors = [
  'teal',
  'sky',
  'emerald',
  'amber',
  'orange',
  'rose',
  'fuchsia',
  'slate',
] as const;

/** An instance's colour as a CSS value: a name of the palette, or the product's own colour. */
export function colorValue(color: string): string {
  return /^[a-z]+$/.test(color) && color !== 'primary'
    ? `var(--color-${color}-600)`
    : 'var(--ui-color-primary-600)';
}
