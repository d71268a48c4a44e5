/** Relative luminance of `#RRGGBB`, from 0 to 1 (WCAG 2.2, "relative luminance"). */
export function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(first: string, second: string): number {
  const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Black or white, whichever is read better on a colour. */
export function readableOn(color: string): string {
  return contrast(color, '#FFFFFF') >= contrast(color, '#15181E') ? '#FFFFFF' : '#15181E';
}
