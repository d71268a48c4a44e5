/** Palette colors for remote instances; the local instance uses the product's color. */
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

/** An instance's color, a palette name or `primary`, as a CSS value. */
export function colorValue(color: string): string {
  return /^[a-z]+$/.test(color) && color !== 'primary'
    ? `var(--color-${color}-600)`
    : 'var(--ui-color-primary-600)';
}
