import type { Path } from './scene.ts';

/** A line of text as outlines, its baseline at 0 and its left end at 0; the unit is the size of the font. */
export interface Lettering {
  path: Path;
  width: number;
}

/** Height of capital letters in units of the font's size (Inter). */
export const capitalHeight = 0.727;
