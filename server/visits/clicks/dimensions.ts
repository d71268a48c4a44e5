import type { LoggedDimension } from '../../contract/dimensions.ts';
import { parameterDimensions } from '../../contract/dimensions.ts';

/** Values of `rollups.scope`: whether a row counts clicks of a link or a user. */
export const scopes = { link: 0, user: 1 } as const;

/**
 * Values of `rollups.dimension`. 0 is the total. `link` (user scope only) uses link ids, so that the top links of a
 * period are read like any other dimension. The numbers are stored in the database: append only.
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

/** Dimensions that few visits have. */
export const rareDimensions = ['utm_term', 'utm_content', ...parameterDimensions] as const;

/** Rare dimensions: columns of `click_marks`; clicks without any of them have no row there. */
export const rareColumns = [...rareDimensions, 'edge'] as const;

/** SQL of a click's column, for use with `clicks LEFT JOIN click_marks`. */
export function columnOf(name: LoggedDimension): string {
  return (rareColumns as readonly string[]).includes(name)
    ? `ifnull(click_marks.${name}, 0)`
    : `clicks.${name}`;
}
/** Joins the rare dimensions to each click. */
export const withMarks = 'LEFT JOIN click_marks ON click_marks.click_id = clicks.id';

/** The dimensions counted for each click, each from the column of the same name. */
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

/** The same with the rare ones at the end. */
export const countedDimensions = [...countedColumns, ...rareColumns] as const;

/** The columns of a click with dictionary ids, in the order in which clicks are written, shipped and exported. */
export const dictionaryColumns = [
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

/** Names of `clicks.source` by number. The dimension `source` stores this number instead of a dictionary id. */
export const sources = ['link', 'qr', 'rotator', 'bio', 'api'] as const;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
