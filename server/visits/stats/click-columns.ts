import { loggedDimensions } from '../../contract/dimensions.ts';
import { dayMs, hourMs } from '../clicks/dimensions.ts';
import { type NumberIndex, numberIndex } from '../clicks/number-index.ts';
import { nobody } from '../clicks/omissions.ts';
import type { Metrics } from './metrics.ts';

/** A click as it is read from the log; its words are in the order of `loggedDimensions`. */
export type ReadClick = [
  id: number,
  linkId: number,
  at: number,
  visitor: number,
  bot: number,
  ...words: number[],
];

/** Hours since 1970; `to` is not part of it. */
export type Hours = readonly [from: number, to: number];

export interface FilterQuestion {
  /** The words that clicks may have, by the place of their dimension in `loggedDimensions`. */
  filters: readonly { dimension: number; words: readonly number[] }[];
  /** The intervals of the period, in order and without gaps, and those of the period before. */
  intervals: readonly Hours[];
  previous: readonly Hours[];
  withBots: boolean;
  mostValues: number;
  mostLinks: number;
}

export interface CountedWord extends Metrics {
  word: number;
}

export interface FilterAnswer {
  series: Metrics[];
  previous: Metrics[];
  /**
   * The most frequent words of each dimension. Those of a filtered one are counted among the clicks that pass the other
   * filters: so one sees what else could be chosen.
   */
  words: CountedWord[][];
  /** The most visited links; `word` is the id. */
  links: CountedWord[];
  /** The first hour with clicks; null if there are none. */
  firstHour: number | null;
}

type Codes = Uint8Array | Uint16Array | Uint32Array;

interface Chunk {
  length: number;
  /** The earliest and the latest hour. */
  first: number;
  last: number;
  hours: Int32Array;
  /** Numbers of visitors on a day, so that the first click of each can be told among any that pass. */
  visitors: Uint32Array;
  bots: Uint8Array;
  links: Codes;
  words: Codes[];
}

const hoursPerDay = dayMs / hourMs;
const chunkSize = 16_384;
/** Of a dimension of which no click of a chunk has a word, as most own parameters: shared, and never written to. */
const noCodes = new Uint8Array(chunkSize);
const perWord = 3;
const outside = -1;
/** As many as an engine keeps what edges shipped, and today. */
const daysRemembered = 4;

/**
 * Clicks of the log in columns, about 25 bytes each where they have all usual words: a million of them are counted
 * under any filters in some hundredths of a second, in `spare` memory. With `perLink` a visitor is unique on each link,
 * as metrics are that are sums over links.
 */
export function clickColumns(perLink: boolean, spare: SpareMemory) {
  const chunks: Chunk[] = [];
  const links = newDictionary();
  const dictionaries = loggedDimensions.map(newDictionary);
  let size = 0;
  let firstHour: number | null = null;
  // The first number is that of visits which only count: none of them is the first of a visitor.
  let visitors = 1;
  /** The days of the latest clicks, the last one last. */
  const days = new Map<number, DayVisitors>();
  let today = newDay(-1);
  /**
   * The visitors of a day. Most clicks come in the order of time; those that edges ship late are of a few days before.
   */
  function visitorsOn(day: number): DayVisitors {
    if (day === today.day) return today;
    today = days.get(day) ?? newDay(day);
    days.delete(day);
    days.set(day, today);
    const [oldest] = days.keys();
    if (days.size > daysRemembered && oldest !== undefined) days.delete(oldest);
    return today;
  }

  /** The number of a click's visitor. */
  function visitorOf(at: number, visitor: number, link: number): number {
    if (visitor === nobody) return 0;
    const { ofDay, ofLinks, numbers } = visitorsOn(Math.floor(at / dayMs));
    let place = ofDay.placeOf(visitor);
    if (perLink) place = ofLinks.placeOf(link * 2 ** 31 + place);
    if (place === numbers.length) numbers.push(visitors++);
    return numbers[place] as number;
  }

  function chunkWithRoom(): Chunk {
    const last = chunks.at(-1);
    if (last && last.length < chunkSize) return last;
    const chunk: Chunk = {
      length: 0,
      first: Number.POSITIVE_INFINITY,
      last: 0,
      hours: new Int32Array(chunkSize),
      visitors: new Uint32Array(chunkSize),
      bots: new Uint8Array(chunkSize),
      links: noCodes,
      words: dictionaries.map(() => noCodes),
    };
    chunks.push(chunk);
    return chunk;
  }

  return {
    size: () => size,
    /** The number of clicks that there is memory for. */
    room: () => Math.max(chunks.length, 1) * chunkSize,

    /** Takes in the next click of the log. */
    add(click: ReadClick): void {
      const chunk = chunkWithRoom();
      const place = chunk.length;
      const hour = Math.floor(click[2] / hourMs);
      const link = links.placeOf(click[1]);
      chunk.hours[place] = hour;
      chunk.visitors[place] = visitorOf(click[2], click[3], link);
      chunk.bots[place] = click[4];
      chunk.links = withRoomFor(link, chunk.links);
      chunk.links[place] = link;
      for (let index = 0; index < dictionaries.length; index += 1) {
        const dictionary = dictionaries[index] as NumberIndex;
        const code = dictionary.placeOf(click[index + 5] ?? 0);
        if (code === 0) continue;
        const codes = withRoomFor(code, chunk.words[index] as Codes);
        codes[place] = code;
        chunk.words[index] = codes;
      }
      chunk.first = Math.min(chunk.first, hour);
      chunk.last = Math.max(chunk.last, hour);
      chunk.length += 1;
      size += 1;
      if (firstHour === null || hour < firstHour) firstHour = hour;
    },

    /** Counts the clicks that pass all filters. */
    count(question: FilterQuestion): FilterAnswer {
      const { intervals, previous, withBots } = question;
      const placeOf = placesOf(intervals, previous);
      const [start = 0] = previous[0] ?? intervals[0] ?? [];
      // A visitor's first click of a day may lie before the period.
      const since = Math.floor(start / hoursPerDay) * hoursPerDay;
      const end = intervals.at(-1)?.[1] ?? 0;
      const series = new Uint32Array(intervals.length * perWord);
      const before = new Uint32Array(previous.length * perWord);
      spare.begin();
      const sums = dictionaries.map((words) => spare.sums(words.size()));
      const linkSums = spare.sums(links.size());
      const passed = spare.picked(visitors);
      const filters = question.filters.map(({ dimension, words }) => {
        const chosen = new Set(words);
        const known = (dictionaries[dimension] as NumberIndex).values();
        const allowed = Uint8Array.from(known, (word) => (chosen.has(word) ? 1 : 0));
        // The clicks that pass all but this one.
        return { dimension, allowed, others: spare.picked(visitors) };
      });
      const listOf = sums.map(
        (_, dimension) => filters.find((filter) => filter.dimension === dimension)?.others ?? passed,
      );

      for (const chunk of chunks) {
        if (chunk.last < since || chunk.first >= end) continue;
        const { hours, bots, visitors: numbers } = chunk;
        passed.length = 0;
        for (const { others } of filters) others.length = 0;
        for (let place = 0; place < chunk.length; place += 1) {
          let failed: (typeof filters)[number] | undefined;
          let failures = 0;
          for (let index = 0; index < filters.length && failures < 2; index += 1) {
            const filter = filters[index] as (typeof filters)[number];
            const code = (chunk.words[filter.dimension] as Codes)[place] as number;
            if (filter.allowed[code] === 1) continue;
            failed = filter;
            failures += 1;
          }
          if (failures > 1) continue;
          const bot = bots[place] as number;
          const visitor = numbers[place] as number;
          const interval = placeOf(hours[place] as number);
          if (failed) {
            pick(failed.others, place, bot, visitor, interval >= 0);
            continue;
          }
          for (const { others } of filters) pick(others, place, bot, visitor, interval >= 0);
          const kind = pick(passed, place, bot, visitor, interval >= 0);
          if (interval >= 0) add(series, interval, kind);
          else if (interval !== outside) add(before, -2 - interval, kind);
        }
        for (let dimension = 0; dimension < sums.length; dimension += 1) {
          addAll(
            sums[dimension] as Uint32Array,
            chunk.words[dimension] as Codes,
            listOf[dimension] as Picked,
          );
        }
        addAll(linkSums, chunk.links, passed);
      }
      return {
        series: metricsOf(series),
        previous: metricsOf(before),
        words: sums.map((metrics, dimension) =>
          mostFrequent(metrics, dictionaries[dimension] as NumberIndex, withBots, question.mostValues),
        ),
        links: mostFrequent(linkSums, links, withBots, question.mostLinks),
        firstHour,
      };
    },
  };
}

export type ClickColumns = ReturnType<typeof clickColumns>;

/** The visitors of a day, and each on a link; `numbers` are of the latter or, without them, of the former. */
interface DayVisitors {
  day: number;
  ofDay: NumberIndex;
  ofLinks: NumberIndex;
  numbers: number[];
}

function newDay(day: number): DayVisitors {
  return { day, ofDay: numberIndex(), ofLinks: numberIndex(), numbers: [] };
}

/** Words get small numbers in the order in which they come; what has no word has the first. */
function newDictionary(): NumberIndex {
  const dictionary = numberIndex();
  dictionary.placeOf(0);
  return dictionary;
}

/** The same codes, in elements that are wide enough for another one. */
function withRoomFor(code: number, codes: Codes): Codes {
  if (codes !== noCodes && code < 256 ** codes.BYTES_PER_ELEMENT) return codes;
  if (code < 2 ** 8) return codes.slice();
  return code < 2 ** 16 ? Uint16Array.from(codes) : Uint32Array.from(codes);
}

/** Clicks of a chunk that are counted, each with whether it is a bot's (1) or the first of its visitor (2). */
interface Picked {
  length: number;
  places: Uint16Array;
  kinds: Uint8Array;
  seen: Uint8Array;
}

const isBot = 1;
const isFirst = 2;

/**
 * Memory for counting, used again by each question, one after the other: of a large account it is 20 MB, and garbage of
 * that size stays until the next large collection.
 */
export function spareMemory() {
  const allSums: Uint32Array[] = [];
  const allPicked: Picked[] = [];
  let sumsTaken = 0;
  let pickedTaken = 0;
  return {
    /** From here on everything that was given may be given again. */
    begin(): void {
      sumsTaken = 0;
      pickedTaken = 0;
    },
    /** Zeros for the sums of so many words. */
    sums(words: number): Uint32Array {
      const length = words * perWord;
      let sums = allSums[sumsTaken];
      if (!sums || sums.length < length) sums = allSums[sumsTaken] = new Uint32Array(roomFor(length));
      sumsTaken += 1;
      return sums.subarray(0, length).fill(0);
    },
    /** No clicks yet; none of the visitors was seen but those that never count as unique. */
    picked(visitors: number): Picked {
      let picked = allPicked[pickedTaken];
      if (!picked || picked.seen.length < visitors) {
        const seen = new Uint8Array(roomFor(visitors));
        picked = { length: 0, places: new Uint16Array(chunkSize), kinds: new Uint8Array(chunkSize), seen };
        allPicked[pickedTaken] = picked;
      }
      pickedTaken += 1;
      picked.seen.fill(0, 0, visitors);
      picked.seen[0] = 1;
      picked.length = 0;
      return picked;
    },
  };
}

export type SpareMemory = ReturnType<typeof spareMemory>;

/** A tenth more, since clicks keep coming. */
function roomFor(length: number): number {
  return Math.ceil(length * 1.1);
}

/** Marks the visitor as seen, and keeps the click where it is in the period. */
function pick(picked: Picked, place: number, bot: number, visitor: number, isInPeriod: boolean): number {
  let kind = isBot;
  if (bot === 0) {
    kind = picked.seen[visitor] === 0 ? isFirst : 0;
    picked.seen[visitor] = 1;
  }
  if (isInPeriod) {
    picked.places[picked.length] = place;
    picked.kinds[picked.length] = kind;
    picked.length += 1;
  }
  return kind;
}

function add(sums: Uint32Array, index: number, kind: number): void {
  const start = index * perWord;
  if (kind === isBot) sums[start + 2] = (sums[start + 2] as number) + 1;
  else sums[start] = (sums[start] as number) + 1;
  if (kind === isFirst) sums[start + 1] = (sums[start + 1] as number) + 1;
}

function addAll(sums: Uint32Array, codes: Codes, { length, places, kinds }: Picked): void {
  if (codes === noCodes) {
    for (let index = 0; index < length; index += 1) add(sums, 0, kinds[index] as number);
    return;
  }
  for (let index = 0; index < length; index += 1) {
    add(sums, codes[places[index] as number] as number, kinds[index] as number);
  }
}

/** Finds the interval of an hour: its place, or -2 less its place in the period before. */
function placesOf(intervals: readonly Hours[], previous: readonly Hours[]): (hour: number) => number {
  const first = (previous[0] ?? intervals[0])?.[0] ?? 0;
  const end = intervals.at(-1)?.[1] ?? first;
  const places = new Int32Array(Math.max(0, end - first)).fill(outside);
  for (const [index, [from, to]] of previous.entries()) places.fill(-2 - index, from - first, to - first);
  for (const [index, [from, to]] of intervals.entries()) places.fill(index, from - first, to - first);
  return (hour) => places[hour - first] ?? outside;
}

function metricsOf(sums: Uint32Array): Metrics[] {
  return Array.from({ length: sums.length / perWord }, (_, index) => metricsAt(sums, index));
}

function metricsAt(sums: Uint32Array, index: number): Metrics {
  const [clicks = 0, uniqueClicks = 0, bots = 0] = sums.subarray(index * perWord, (index + 1) * perWord);
  return { clicks, uniqueClicks, bots };
}

/** The words that have clicks, the most frequent first; of equal ones the older. */
function mostFrequent(
  sums: Uint32Array,
  dictionary: NumberIndex,
  withBots: boolean,
  most: number,
): CountedWord[] {
  const words = dictionary.values();
  const worth = (code: number) =>
    (sums[code * perWord] as number) + (withBots ? (sums[code * perWord + 2] as number) : 0);
  const isBefore = (one: number, other: number) =>
    worth(one) === worth(other)
      ? (words[one] as number) < (words[other] as number)
      : worth(one) > worth(other);
  /** In their order. Sorting all words would take most of the time: an account may have a million links. */
  const found: number[] = [];
  for (let code = 0; code < words.length; code += 1) {
    const isFull = found.length === most;
    if (worth(code) === 0 || (isFull && isBefore(found[most - 1] as number, code))) continue;
    if (isFull) found.pop();
    let place = 0;
    for (let end = found.length; place < end; ) {
      const middle = (place + end) >> 1;
      if (isBefore(found[middle] as number, code)) place = middle + 1;
      else end = middle;
    }
    found.splice(place, 0, code);
  }
  return found.map((code) => ({ word: words[code] as number, ...metricsAt(sums, code) }));
}
