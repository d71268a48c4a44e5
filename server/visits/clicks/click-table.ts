import { countedDimensions } from './dimensions.ts';
import type { LoggedClick } from './rollup-queries.ts';

/**
 * The clicks and links of a batch as flat arrays of numbers, reused for the next batch. As objects they would be most
 * of the live heap, and every garbage collection would have to copy or scan them.
 */
export interface ClickTable {
  /** How many clicks there are. */
  count: number;
  ids: Float64Array;
  visitors: Float64Array;
  /**
   * `numbersPerClick` for each click: its hour, whether it is a bot, the next click of its link, and its dictionary
   * ids.
   */
  numbers: Uint32Array;
  /** Per link: its first and latest click (index plus one), its owner, and the time of the latest click by a person. */
  firsts: Uint32Array;
  lasts: Uint32Array;
  owners: Float64Array;
  lastAts: Float64Array;
}

/** The offset of a click's dictionary ids. */
export const firstWord = 3;
const numbersPerClick = firstWord + countedDimensions.length;

export function newClickTable(): ClickTable {
  return madeFor(0);
}

/** Empties the table and reserves room for a number of clicks. */
export function clearTable(table: ClickTable, most: number): void {
  // Doubled, so that a slowly growing load does not reallocate it for each batch.
  if (most > table.ids.length) Object.assign(table, madeFor(Math.max(most, 2 * table.ids.length)));
  table.count = 0;
}

function madeFor(most: number): ClickTable {
  return {
    count: 0,
    ids: new Float64Array(most),
    visitors: new Float64Array(most),
    numbers: new Uint32Array(most * numbersPerClick),
    firsts: new Uint32Array(most),
    lasts: new Uint32Array(most),
    owners: new Float64Array(most),
    lastAts: new Float64Array(most),
  };
}

/** Adds a click to those of a link; returns the offset of its numbers. */
export function addToTable(table: ClickTable, click: LoggedClick, hour: number, link: number): number {
  const { count, numbers, firsts, lasts } = table;
  const start = count * numbersPerClick;
  table.ids[count] = click[0];
  table.visitors[count] = click[3];
  numbers[start] = hour;
  numbers[start + 1] = click[4];
  numbers[start + 2] = 0;
  for (let word = 0; word < countedDimensions.length; word += 1) {
    numbers[start + firstWord + word] = click[5 + word] ?? 0;
  }
  const before = lasts[link] as number;
  if (before === 0) firsts[link] = count + 1;
  else numbers[(before - 1) * numbersPerClick + 2] = count + 1;
  lasts[link] = count + 1;
  table.count = count + 1;
  return start;
}

/** The offset of a click's numbers. */
export function startOf(click: number): number {
  return click * numbersPerClick;
}
