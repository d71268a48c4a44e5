/** Minimum contrast between text and background (WCAG 2.2, success criterion 1.4.3). */
export const leastContrast = 4.5;

/** The contrast ratio of two colors (`#RRGGBB`), from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Mixes two colors: `share` 1 is the first one, 0 the second. */
export function mixed(one: string, other: string, share: number): string {
  const parts = channels(one).map((value, index) =>
    Math.round(value * share + (channels(other)[index] ?? 0) * (1 - share)),
  );
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}

/** The most muted shade of a text color that is still readable on all backgrounds. */
export function softened(text: string, grounds: readonly string[]): string {
  for (const share of [0.7, 0.8, 0.9]) {
    const shade = mixed(text, grounds[0] ?? text, share);
    if (grounds.every((ground) => contrastOf(shade, ground) >= leastContrast)) return shade;
  }
  return text;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

/** Relative luminance of `#RRGGBB`, from 0 to 1 (WCAG 2.2, "relative luminance"). */
export function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
