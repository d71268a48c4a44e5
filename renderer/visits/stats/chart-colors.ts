import type { ChartColors } from './clicks-chart.ts';

/** Reads the current theme's chart colors from `element`. */
export function chartColors(element: HTMLElement): ChartColors {
  const color = (name: string) => themeColor(element, name);
  return {
    clicks: color('--ui-primary'),
    unique: color('--ui-info'),
    before: color('--ui-text-dimmed'),
    text: color('--ui-text-muted'),
    line: color('--ui-border'),
    surface: color('--ui-bg-elevated'),
    strong: color('--ui-text-highlighted'),
  };
}

/** A theme color by the name of its CSS variable, as `rgb(r, g, b)`. */
export function themeColor(element: HTMLElement, name: string): string {
  return asRgb(getComputedStyle(element).getPropertyValue(name).trim());
}

/** Converts any CSS color to `rgb(r, g, b)`: the theme uses oklch, which ECharts cannot parse. */
function asRgb(color: string): string {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context || color === '') return 'rgb(128, 128, 128)';
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 128, green = 128, blue = 128] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}
