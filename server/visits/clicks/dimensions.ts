import type { StatsDimension } from '../../contract/stats.ts';

/** Values of `rollups.scope`: whose clicks a row counts. */
export const scopes = { link: 0, user: 1 } as const;

/**
 * Values of `rollups.dimension`. 0 is the total. `link` (of the user's scope only) has link ids for words, so that the
 * most visited links of a period are read like any other dimension. The numbers are in the database: append only.
 */
export const dimensions: Record<StatsDimension | 'total' | 'link', number> = {
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
};

/** The dimensions that are counted click by click, each from the column of a click that has its name. */
export const countedDimensions = [
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
] as const satisfies readonly StatsDimension[];

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
