import type { Rectangle } from 'electron';
import { z } from 'zod';

export const minimumSize = { width: 900, height: 600 };
const firstSize = { width: 1280, height: 820 };

const whole = z.number().int().min(-100_000).max(100_000);

/** The window's last position and size. */
export const windowState = z.looseObject({
  bounds: z.object({ x: whole, y: whole, width: whole, height: whole }),
  maximized: z.boolean(),
});
export type WindowState = z.output<typeof windowState>;

/** The minimum area of the title bar that must be visible. Pixels. */
const GRIP = { width: 120, height: 40 };

/**
 * Where to open the window: its last position, unless a display was removed or shrunk so that it would be off screen;
 * then centered on the primary display (x and y undefined).
 */
export function placeWindow(
  last: WindowState | undefined,
  workAreas: Rectangle[],
): Partial<Rectangle> & { width: number; height: number } {
  if (!last) return firstSize;
  const { bounds } = last;
  const places = workAreas.map((area) => ({ area, bounds: fittedInto(area, bounds) }));
  const home = places.find((place) => isWithinReach(place.bounds, place.area));
  if (home) return home.bounds;
  const { width, height } = places[0]?.bounds ?? bounds;
  return { width, height };
}

function fittedInto(area: Rectangle, bounds: Rectangle): Rectangle {
  return {
    ...bounds,
    width: Math.max(minimumSize.width, Math.min(bounds.width, area.width)),
    height: Math.max(minimumSize.height, Math.min(bounds.height, area.height)),
  };
}

function isWithinReach(bounds: Rectangle, area: Rectangle): boolean {
  const left = Math.max(bounds.x, area.x);
  const right = Math.min(bounds.x + bounds.width, area.x + area.width);
  const isTitleBarOnIt = bounds.y >= area.y && bounds.y + GRIP.height <= area.y + area.height;
  return right - left >= GRIP.width && isTitleBarOnIt;
}
