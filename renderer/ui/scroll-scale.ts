/**
 * The height that a scrolled list has in the page at most. Browsers cut off elements of 17 (Firefox) to 33 million
 * pixels (Chromium), and with them the rows at the end of a very long list. Pixels.
 */
export const tallest = 5_000_000;

/** At both ends of a scaled list, a pixel of the page is a pixel of the list. */
const exact = 100_000;

export interface ScrollScale {
  /** Whether the list is drawn at its full height: every offset is its own scroll position. */
  readonly isWhole: boolean;
  /** The height of the list in the page: its own, or `tallest`. Pixels. */
  readonly height: number;
  /** The highest offset in the list. */
  readonly mostTop: number;
  /** The scroll position at which an offset in the list is shown after a jump. */
  positionOf(top: number): number;
  /** The reverse: the offset in the list that a scroll position leads to. */
  topAt(position: number): number;
}

/**
 * Maps offsets in a list of `full` pixels, `room` of which are visible, to scroll positions of an element that is at
 * most `tallest` pixels high. Lists that are not taller map to themselves.
 */
export function scrollScale(full: number, room: number): ScrollScale {
  const height = Math.min(full, tallest);
  const mostTop = Math.max(0, full - room);
  const mostPosition = Math.max(0, height - room);
  const isWhole = full <= tallest;
  const factor = (mostTop - 2 * exact) / (mostPosition - 2 * exact);
  return {
    isWhole,
    height,
    mostTop,
    positionOf(top) {
      if (isWhole || top <= exact) return top;
      if (mostTop - top <= exact) return mostPosition - (mostTop - top);
      return exact + (top - exact) / factor;
    },
    topAt(position) {
      if (isWhole || position <= exact) return position;
      if (mostPosition - position <= exact) return mostTop - (mostPosition - position);
      return exact + (position - exact) * factor;
    },
  };
}
