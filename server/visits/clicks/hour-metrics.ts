import { countedDimensions, dimensions } from './dimensions.ts';

/** Clicks, first clicks of visitors and bots of one hour and dimension. */
export type Metrics = readonly [clicks: number, uniqueClicks: number, bots: number];

/**
 * All dimensions of one link or user in one hour, in flat lists: most hours of links have about ten metrics, and a
 * batch holds tens of thousands of such hours.
 */
export interface HourMetrics {
  /** Word and dimension in one number, in the order in which they came. */
  readonly keys: number[];
  /** Clicks, first clicks of visitors and bots of each key. */
  readonly values: number[];
  /** Where each key is, once there are too many to look through. */
  places: Map<number, number> | undefined;
}

const dimensionSpan = 32;
const valuesPerKey = 3;
/** Keys beyond which a map finds one sooner than a look through the list. */
const mostListed = 24;
const totalKey = dimensions.total;
const numbers = countedDimensions.map((name) => dimensions[name]);

/** Metrics of an hour in which nobody clicked yet. */
export function noMetrics(): HourMetrics {
  return { keys: [], values: [], places: undefined };
}

/** The dimension and the word of a key. */
export function readKey(key: number): { dimension: number; word: number } {
  return { dimension: key % dimensionSpan, word: Math.floor(key / dimensionSpan) };
}

/** The metrics of the key at a place in the list. */
export function metricsAt({ values }: HourMetrics, place: number): Metrics {
  const start = place * valuesPerKey;
  return [values[start] ?? 0, values[start + 1] ?? 0, values[start + 2] ?? 0];
}

/** The metrics of a key that is there. */
export function metricsOf(hour: HourMetrics, key: number): Metrics {
  return metricsAt(hour, placeOf(hour, key));
}

/** All clicks of the hour. */
export function totalOf(hour: HourMetrics): Metrics {
  return metricsOf(hour, totalKey);
}

/**
 * Adds a click to the metrics of all its dimensions; `words` has its words from `start` on, in the order of
 * `countedDimensions`. What has no word has no row: it is the total less the rest.
 */
export function addClick(
  hour: HourMetrics,
  words: Uint32Array,
  start: number,
  isBot: boolean,
  isFirst: boolean,
): void {
  addMetrics(hour, dimensions.total, 0, isBot, isFirst);
  for (let index = 0; index < numbers.length; index += 1) {
    const word = words[start + index] as number;
    if (word !== 0) addMetrics(hour, numbers[index] as number, word, isBot, isFirst);
  }
}

function addMetrics(
  hour: HourMetrics,
  dimension: number,
  word: number,
  isBot: boolean,
  isFirst: boolean,
): void {
  const { values } = hour;
  const start = placeFor(hour, word * dimensionSpan + dimension) * valuesPerKey;
  const counted = isBot ? start + 2 : start;
  values[counted] = (values[counted] as number) + 1;
  if (isFirst) values[start + 1] = (values[start + 1] as number) + 1;
}

/** The place of a key, which is made where there is none. */
function placeFor(hour: HourMetrics, key: number): number {
  const found = placeOf(hour, key);
  if (found >= 0) return found;
  const place = hour.keys.push(key) - 1;
  hour.values.push(0, 0, 0);
  if (hour.places) hour.places.set(key, place);
  else if (place >= mostListed) hour.places = new Map(hour.keys.map((each, index) => [each, index]));
  return place;
}

/** -1 where a key is not there. */
function placeOf({ keys, places }: HourMetrics, key: number): number {
  if (places) return places.get(key) ?? -1;
  // Sooner than `indexOf` where the list is short.
  for (let place = 0; place < keys.length; place += 1) if (keys[place] === key) return place;
  return -1;
}
