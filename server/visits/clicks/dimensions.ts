import { parameterDimensions } from '../../contract/parameters.ts';
import type { LoggedDimension } from '../../contract/stats.ts';

/** Values of `rollups.scope`: whose clicks a row counts. */
export const scopes = { link: 0, user: 1 } as const;

/**
 * Values of `rollups.dimension`. 0 is the total. `link` (of the user's scope only) has link ids for words, so that the
 * most visited links of a period are read like any other dimension. The numbers are in the database: append only.
 */
export const dimensions: Record<LoggedDimension | 'total' | 'link', number> = {
  total: 0,
  country: 1,
  city: 2,
  referrer: 3,
  browser: 4,
  os: 5,
  device: 6,
  language: 7,
  source: 8,
  utm_source: 9,
  utm_medium: 10,
  utm_campaign: 11,
  link: 12,
  region: 13,
  utm_term: 14,
  utm_content: 15,
  param1: 16,
  param2: 17,
  param3: 18,
  param4: 19,
  param5: 20,
  edge: 21,
};

/** What few visits bring. */
export const visitMarks = ['utm_term', 'utm_content', ...parameterDimensions] as const;

/** What few clicks have: columns of `click_marks`, where a click that has none of them has no row. */
export const markColumns = [...visitMarks, 'edge'] as const;

/** SQL of a click's column, with `clicks LEFT JOIN click_marks` around it. */
export function columnOf(name: LoggedDimension): string {
  return (markColumns as readonly string[]).includes(name)
    ? `ifnull(click_marks.${name}, 0)`
    : `clicks.${name}`;
}
/** Joins to each click what few of them have. */
export const withMarks = 'LEFT JOIN click_marks ON click_marks.click_id = clicks.id';

/** The dimensions that are counted click by click, each from the column of the log that has its name. */
export const countedColumns = [
  'source',
  'country',
  'city',
  'referrer',
  'browser',
  'os',
  'device',
  'language',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'region',
] as const satisfies readonly LoggedDimension[];

/** The same with what few clicks have, which comes last. */
export const countedDimensions = [...countedColumns, ...markColumns] as const;

/** The columns of a click that hold ids of words, in the order in which clicks are written, shipped and exported. */
export const wordColumns = [
  'country',
  'region',
  'city',
  'referrer',
  'referrer_path',
  'browser',
  'os',
  'device',
  'language',
  'utm_source',
  'utm_medium',
  'utm_campaign',
] as const;

/** Names of `clicks.source` by number. For the dimension `source` this number stands in for the word. */
export const sources = ['link', 'qr', 'rotator', 'bio', 'api'] as const;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
