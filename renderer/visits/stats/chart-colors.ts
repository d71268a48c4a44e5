import type { ChartColors } from './clicks-chart.ts';

/** Reads the theme's colours off `element`, as they are in the theme that is shown now. */
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

/** One of the theme's colours, by the name of its variable. */
export function themeColor(element: HTMLElement, name: string): string {
  return asRgb(getComputedStyle(element).getPropertyValue(name).trim());
}

/** Any CSS colour as `rgb(r, g, b)`: the theme's are oklch, which the chart library cannot read. */
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
