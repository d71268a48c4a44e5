import type { Connection } from '../../platform/database/connect.ts';
import { hourMs, scopes } from '../clicks/dimensions.ts';
import { numberIndex } from '../clicks/number-index.ts';

/** Asks for the words of a dimension that an account's clicks had most often between two hours. */
export interface SumsQuestion {
  userId: number;
  dimension: number;
  /** Hours since 1970; `to` is not part of it. */
  from: number;
  to: number;
  /** The hour up to which only late clicks are still counted. */
  past: number;
  /** The hour that clicks come in now: those between are kept by themselves, as `past` moves once a day only. */
  latest: number;
  withBots: boolean;
  most: number;
}

interface ValueSum {
  word: number;
  clicks: number;
  uniqueClicks: number;
  bots: number;
}

export interface SumsAnswer {
  /** The most frequent words first. */
  rows: ValueSum[];
  /** The sum over all words, those that are not among the rows included. */
  all: Omit<ValueSum, 'word'>;
}

/** Words with their sums, in the order of the words: 300,000 links of a month are a few megabytes. */
interface Sums {
  words: Float64Array;
  /** Clicks, unique clicks and bots of each word. */
  metrics: Uint32Array;
}

/**
 * Words that are remembered of all questions together, 20 bytes each, and how many an answer counts as beside its own.
 */
const mostValues = 1_500_000;
const valuesPerAnswer = 32;
const width = 3;

/**
 * Sums of words of a period. A month of a large account is a million rows, and all but today's stay what they are:
 * their sums are kept, and made anew when the totals of the same hours, which are few, show that a click was counted
 * late. So are those of today's hours that are over, since a day of such an account is tens of thousands of rows.
 */
export function valueSums(connection: Connection) {
  const between = 'scope = ? AND scope_id = ? AND dimension = ? AND hour >= ? AND hour < ?';
  const rows = connection
    .prepare<[number, number, number, number, number], [number, number, number, number]>(
      `SELECT word, clicks, unique_clicks, bots FROM rollups WHERE ${between}`,
    )
    .raw();
  const totals = connection
    .prepare<[number, number, number, number, number], string>(
      `SELECT coalesce(sum(clicks), 0) || ' ' || coalesce(sum(unique_clicks), 0) || ' ' || coalesce(sum(bots), 0)
       FROM rollups WHERE ${between}`,
    )
    .pluck();
  const uncounted = connection
    .prepare<[], number>(
      `SELECT at FROM clicks WHERE id > (SELECT position FROM rollup_position WHERE id = 1) ORDER BY id LIMIT 1`,
    )
    .pluck();
  const kept = new Map<string, { version: string; sums: Sums }>();
  let cachedValues = 0;

  function sumUp(userId: number, dimension: number, from: number, to: number): Sums {
    const places = numberIndex();
    let metrics = new Uint32Array(1024 * width);
    for (const [word, ...of] of rows.iterate(scopes.user, userId, dimension, from, to)) {
      const place = places.placeOf(word);
      if ((place + 1) * width > metrics.length) metrics = grown(metrics);
      for (let index = 0; index < width; index += 1) {
        metrics[place * width + index] = (metrics[place * width + index] ?? 0) + (of[index] ?? 0);
      }
    }
    const words = places.values().slice().sort();
    const ordered = new Uint32Array(words.length * width);
    for (const [index, word] of words.entries()) {
      const place = places.placeOf(word) * width;
      ordered.set(metrics.subarray(place, place + width), index * width);
    }
    return { words, metrics: ordered };
  }

  /** The sums of hours that are over. */
  function keptSums(
    { userId, dimension }: Pick<SumsQuestion, 'userId' | 'dimension'>,
    from: number,
    to: number,
  ): Sums {
    if (to <= from) return { words: new Float64Array(), metrics: new Uint32Array() };
    const key = `${userId} ${dimension} ${from} ${to}`;
    const version = totals.get(scopes.user, userId, 0, from, to) ?? '';
    const known = kept.get(key);
    if (known) forget(key, known.sums);
    const sums = known?.version === version ? known.sums : sumUp(userId, dimension, from, to);
    // While clicks of these hours are being counted, some words may have theirs and others not.
    const isSettled = (uncounted.get() ?? Number.POSITIVE_INFINITY) >= to * hourMs;
    if (!isSettled || sums.words.length > mostValues) return sums;
    // What was asked for last goes last.
    kept.set(key, { version, sums });
    cachedValues += valuesPerAnswer + sums.words.length;
    for (const [oldest, { sums: old }] of kept) {
      if (cachedValues <= mostValues) break;
      forget(oldest, old);
    }
    return sums;
  }

  function forget(key: string, { words }: Sums): void {
    kept.delete(key);
    cachedValues -= valuesPerAnswer + words.length;
  }

  /** The sums until today, and those of today. */
  function partsOf(question: Omit<SumsQuestion, 'most' | 'withBots'>): [before: Sums, today: Sums] {
    const { userId, dimension, from, to, past, latest } = question;
    const before = keptSums(question, from, past);
    const thisMorning = keptSums(question, Math.max(from, past), latest);
    return [before, merged(thisMorning, sumUp(userId, dimension, Math.max(from, latest), to))];
  }

  return {
    /** The sums of all words of a question; not to be changed. */
    all: (question: Omit<SumsQuestion, 'most' | 'withBots'>): Sums => merged(...partsOf(question)),

    /** The most frequent words, and the sum over all of them. */
    best(question: SumsQuestion): SumsAnswer {
      const all = { clicks: 0, uniqueClicks: 0, bots: 0 };
      const best = bestOf(question.most, question.withBots);
      eachWord(...partsOf(question), (word, clicks, uniqueClicks, bots) => {
        all.clicks += clicks;
        all.uniqueClicks += uniqueClicks;
        all.bots += bots;
        best.offer(word, clicks, uniqueClicks, bots);
      });
      return { rows: best.rows(), all };
    },
  };
}

export type ValueSums = ReturnType<typeof valueSums>;

function grown(metrics: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(metrics.length * 2);
  larger.set(metrics);
  return larger;
}

function merged(one: Sums, other: Sums): Sums {
  if (other.words.length === 0) return one;
  const most = one.words.length + other.words.length;
  const words = new Float64Array(most);
  const metrics = new Uint32Array(most * width);
  let count = 0;
  eachWord(one, other, (word, clicks, uniqueClicks, bots) => {
    words[count] = word;
    metrics[count * width] = clicks;
    metrics[count * width + 1] = uniqueClicks;
    metrics[count * width + 2] = bots;
    count += 1;
  });
  return { words: words.subarray(0, count), metrics: metrics.subarray(0, count * width) };
}

type VisitWord = (word: number, clicks: number, uniqueClicks: number, bots: number) => void;

/**
 * Goes through the words of both in order; a word that is in both comes once. It is fast where the other has few: a
 * month of a large account against its latest hour.
 */
function eachWord(one: Sums, other: Sums, visit: VisitWord): void {
  const [words, metrics] = [one.words, one.metrics];
  let left = 0;
  for (let right = 0; right <= other.words.length; right += 1) {
    const word = right < other.words.length ? (other.words[right] as number) : Number.POSITIVE_INFINITY;
    for (; left < words.length && (words[left] as number) < word; left += 1) {
      const at = left * width;
      visit(
        words[left] as number,
        metrics[at] as number,
        metrics[at + 1] as number,
        metrics[at + 2] as number,
      );
    }
    if (right === other.words.length) return;
    const at = right * width;
    let [clicks, uniqueClicks, bots] = [
      other.metrics[at] as number,
      other.metrics[at + 1] as number,
      other.metrics[at + 2] as number,
    ];
    if (left < words.length && words[left] === word) {
      const same = left * width;
      clicks += metrics[same] as number;
      uniqueClicks += metrics[same + 1] as number;
      bots += metrics[same + 2] as number;
      left += 1;
    }
    visit(word, clicks, uniqueClicks, bots);
  }
}

/** Keeps the best of many, as they come; of equal ones the first. */
export function bestOf(most: number, withBots: boolean) {
  const found: ValueSum[] = [];
  const value = ({ clicks, bots }: Pick<ValueSum, 'clicks' | 'bots'>) => clicks + (withBots ? bots : 0);
  let least = 0;
  return {
    offer(word: number, clicks: number, uniqueClicks: number, bots: number): void {
      const worth = clicks + (withBots ? bots : 0);
      if (worth <= least) return;
      let place = found.length;
      while (place > 0 && value(found[place - 1] as ValueSum) < worth) place -= 1;
      found.splice(place, 0, { word, clicks, uniqueClicks, bots });
      if (found.length > most) found.pop();
      if (found.length === most) least = value(found.at(-1) as ValueSum);
    },
    rows: () => found,
  };
}
