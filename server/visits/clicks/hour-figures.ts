import { dimensions } from './dimensions.ts';
import type { LoggedClick } from './rollup-queries.ts';

/** Clicks, first clicks of visitors and bots of one hour and dimension. */
export type Figures = [clicks: number, uniqueClicks: number, bots: number];

/** All dimensions of one link or user in one hour: word and dimension in one number → figures. */
export type HourFigures = Map<number, Figures>;

const dimensionSpan = 16;

/** The dimension and the word of a key. */
export function readKey(key: number): { dimension: number; word: number } {
  return { dimension: key % dimensionSpan, word: Math.floor(key / dimensionSpan) };
}

/** Adds a click to the figures of all its dimensions. What has no word has no row: it is the total less the rest. */
export function addClick(hour: HourFigures, click: LoggedClick, isFirst: boolean): void {
  const isBot = click[5] !== 0;
  addFigures(hour, dimensions.total, 0, isBot, isFirst);
  addWord(hour, dimensions.country, click[6], isBot, isFirst);
  addWord(hour, dimensions.city, click[7], isBot, isFirst);
  addWord(hour, dimensions.referrer, click[8], isBot, isFirst);
  addWord(hour, dimensions.browser, click[9], isBot, isFirst);
  addWord(hour, dimensions.os, click[10], isBot, isFirst);
  addWord(hour, dimensions.device, click[11], isBot, isFirst);
  addWord(hour, dimensions.language, click[12], isBot, isFirst);
  addWord(hour, dimensions.source, click[4], isBot, isFirst);
  addWord(hour, dimensions.utm_source, click[13], isBot, isFirst);
  addWord(hour, dimensions.utm_medium, click[14], isBot, isFirst);
  addWord(hour, dimensions.utm_campaign, click[15], isBot, isFirst);
}

function addWord(hour: HourFigures, dimension: number, word: number, isBot: boolean, isFirst: boolean): void {
  if (word !== 0) addFigures(hour, dimension, word, isBot, isFirst);
}

function addFigures(
  hour: HourFigures,
  dimension: number,
  word: number,
  isBot: boolean,
  isFirst: boolean,
): void {
  const key = word * dimensionSpan + dimension;
  let figures = hour.get(key);
  if (!figures) {
    figures = [0, 0, 0];
    hour.set(key, figures);
  }
  if (isBot) figures[2] += 1;
  else figures[0] += 1;
  if (isFirst) figures[1] += 1;
}
