import { countedDimensions, dimensions } from './dimensions.ts';

/** Clicks, unique visitors and bots of one hour and dimension. */
export type Metrics = readonly [clicks: number, uniqueClicks: number, bots: number];

/**
 * All dimensions of one link or user in one hour, in flat arrays: most hours have about ten metrics, and a batch
 * contains tens of thousands of such hours.
 */
export interface HourMetrics {
  /** Dictionary id and dimension combined in one number, in order of appearance. */
  readonly keys: number[];
  /** Clicks, unique visitors and bots per key. */
  readonly values: number[];
  /** The index of each key, once there are too many for a linear search. */
  places: Map<number, number> | undefined;
}

const dimensionSpan = 32;
const valuesPerKey = 3;
/** Number of keys above which a map is faster than a linear search. */
const mostListed = 24;
const totalKey = dimensions.total;
const numbers = countedDimensions.map((name) => dimensions[name]);

/** Metrics of an hour without clicks. */
export function noMetrics(): HourMetrics {
  return { keys: [], values: [], places: undefined };
}

/** The dimension and dictionary id of a key. */
export function readKey(key: number): { dimension: number; word: number } {
  return { dimension: key % dimensionSpan, word: Math.floor(key / dimensionSpan) };
}

/** The metrics of the key at an index. */
export function metricsAt({ values }: HourMetrics, place: number): Metrics {
  const start = place * valuesPerKey;
  return [values[start] ?? 0, values[start + 1] ?? 0, values[start + 2] ?? 0];
}

/** The metrics of an existing key. */
export function metricsOf(hour: HourMetrics, key: number): Metrics {
  return metricsAt(hour, placeOf(hour, key));
}

/** All clicks of the hour. */
export function totalOf(hour: HourMetrics): Metrics {
  return metricsOf(hour, totalKey);
}

/**
 * Adds a click to the metrics of all its dimensions; `words` has its dictionary ids from `start` on, in the order of
 * `countedDimensions`. Empty values have no row: they are the total minus the rest.
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

/** The index of a key, which is added if missing. */
function placeFor(hour: HourMetrics, key: number): number {
  const found = placeOf(hour, key);
  if (found >= 0) return found;
  const place = hour.keys.push(key) - 1;
  hour.values.push(0, 0, 0);
  if (hour.places) hour.places.set(key, place);
  else if (place >= mostListed) hour.places = new Map(hour.keys.map((each, index) => [each, index]));
  return place;
}

/** -1 if a key does not exist. */
function placeOf({ keys, places }: HourMetrics, key: number): number {
  if (places) return places.get(key) ?? -1;
  // Faster than `indexOf` for short arrays.
  for (let place = 0; place < keys.length; place += 1) if (keys[place] === key) return place;
  return -1;
}
