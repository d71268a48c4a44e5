import { z } from 'zod';
import { belowFilter } from './channels.ts';
import { loggedDimensions } from './dimensions.ts';
import { memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import { alwaysSent, day, digits, listOf, paging, timestamp } from './envelope.ts';
import { ownParameters } from './parameters.ts';
import { omitted } from './privacy.ts';

export const statsPeriods = ['24h', '7d', '30d', '90d', '12m', 'all'] as const;
export type StatsPeriod = (typeof statsPeriods)[number];

/** Dimensions of statistics. The continent is derived from the country. */
export const statsDimensions = ['continent', ...loggedDimensions] as const;
export type StatsDimension = (typeof statsDimensions)[number];

const flag = z.enum(['0', '1']);

/** Maximum number of values per filter; each may be as long as a counted value. */
export const mostFilterValues = 20;
const filterValue = z.string().max(200);
const filter = z
  .union([
    filterValue,
    z.array(filterValue).max(mostFilterValues, `Choose at most ${mostFilterValues} values.`),
  ])
  .transform((value) => (typeof value === 'string' ? [value] : value))
  .optional();

/**
 * Counts only clicks that have one of the given values in each given dimension; repeat a parameter for several values,
 * and leave it empty for unknown. Filters use the log of individual clicks, so they only reach back as far as those are
 * kept (decision 0076).
 */
export const statsFilters = Object.fromEntries(statsDimensions.map((name) => [name, filter])) as Record<
  StatsDimension,
  typeof filter
>;

/** Counts only links in this campaign or channel, or on this domain (id, host or URL). */
export const statsLinks = {
  campaign: digits.optional(),
  channel: digits.optional(),
  ...belowFilter,
  domain: z.string().max(300).optional(),
};

/** `from` and `to` (inclusive days in the account's time zone) override `period`. */
export const statsQuery = z.object({
  period: z.enum(statsPeriods).default('30d'),
  from: day.optional(),
  to: day.optional(),
  /** 1 includes bots. */
  bots: flag.optional(),
  /** Adds the time series of the previous period. */
  compare: z.literal('previous').optional(),
  /**
   * First and last day of a custom comparison period. Without a last day it has the length of the period itself. Both
   * are split into intervals of the same length.
   */
  comparefrom: day.optional(),
  compareto: day.optional(),
});
/** The fields of `statsQuery` about a comparison period. */
export const secondPeriod = { compare: true, comparefrom: true, compareto: true } as const;

const metrics = { clicks: z.number().int(), uniqueclicks: z.number().int() };

const point = z.object({ at: timestamp, ...metrics });

export const stats = z.object({
  from: timestamp,
  to: timestamp,
  interval: z.enum(['hour', 'day', 'month']),
  ...metrics,
  bots: z.number().int(),
  /** The previous period of the same length, or the custom one; null for `all`. */
  previous: z
    .object({
      ...metrics,
      series: z.array(point).optional(),
      /** Only for a custom period. */
      from: timestamp.optional(),
      to: timestamp.optional(),
    })
    .nullable(),
  /** One entry per interval, without gaps; `at` is its start in the account's time zone. */
  series: z.array(point),
  /**
   * The most frequent values of each dimension, at most 50 each; countries are ISO codes, and '' is unknown. The values
   * of a filtered dimension are counted with the other filters only.
   */
  dimensions: z.partialRecord(z.enum(statsDimensions), z.array(z.object({ value: z.string(), ...metrics }))),
  /** The account's own parameters and their dimensions. */
  parameters: ownParameters.optional(),
  /** With filters: the start of the individual click log if it does not cover the whole period; else null. */
  filteredsince: timestamp.nullable().optional(),
  /** Data not collected for new visits, according to the instance's or the account's privacy settings. */
  notkept: z.array(z.enum(omitted)).optional(),
});
export type Stats = z.output<typeof stats>;

export const topLink = z.object({
  id: z.number().int(),
  shorturl: z.string(),
  title: z.string().nullable(),
  longurl: z.string(),
  ...metrics,
});

export const getStats = endpoint({
  method: 'GET',
  path: '/api/stats',
  summary: 'Get the clicks of all links of the account.',
  scope: 'stats',
  alsoReads: ['links'],
  query: statsQuery.extend({
    ...statsFilters,
    ...memberFilter,
    ...statsLinks,
  }),
  reply: z.object({
    data: z.object({
      ...stats.shape,
      links: z.number().int(),
      activelinks: z.number().int(),
      toplinks: z.array(topLink),
    }),
  }),
});

const topGroup = z.object({ id: z.number().int(), name: z.string(), ...metrics });

/**
 * Totals over the links currently in each group; a link in two channels counts in both. At most ten groups of each
 * kind.
 */
export const getTopGroups = endpoint({
  method: 'GET',
  path: '/api/stats/top',
  summary: 'Get the campaigns, channels and domains whose links were clicked most.',
  scope: 'stats',
  alsoReads: ['campaigns', 'channels', 'domains'],
  query: statsQuery.omit(secondPeriod).extend(memberFilter),
  reply: z.object({
    data: z.object({
      from: timestamp,
      to: timestamp,
      campaigns: z.array(topGroup),
      channels: z.array(topGroup.extend({ color: z.string().nullable() })),
      /** The id is null for the instance's own host. */
      domains: z.array(z.object({ id: z.number().int().nullable(), domain: z.string(), ...metrics })),
    }),
  }),
});

export const getLinkStats = endpoint({
  method: 'GET',
  path: '/api/url/:id/stats',
  summary: 'Get the clicks of a link.',
  scope: 'stats',
  query: statsQuery.extend(statsFilters),
  reply: z.object({ data: stats }),
});

/** A recorded visit. */
export const click = z.object({
  id: z.number().int(),
  link: z.number().int(),
  shorturl: z.string(),
  title: z.string().nullable(),
  date: timestamp,
  source: z.string(),
  country: z.string(),
  city: z.string(),
  referrer: z.string(),
  browser: z.string(),
  os: z.string(),
  device: z.string(),
  language: z.string(),
  bot: z.boolean(),
  /** The visitor's IP address; null unless the instance stores addresses (decision 0026). */
  address: alwaysSent(z.string().nullable()),
});
export type Click = z.output<typeof click>;

export const listLinkClicks = endpoint({
  method: 'GET',
  path: '/api/url/:id/clicks',
  summary: 'List recent visits to a link, newest first.',
  scope: 'stats',
  alsoReads: ['links'],
  query: z.object({ ...paging, bots: flag.optional() }),
  reply: listOf('clicks', click),
});

export const listClicks = endpoint({
  method: 'GET',
  path: '/api/clicks',
  summary: 'List recent visits to all links of the account, newest first.',
  scope: 'stats',
  alsoReads: ['links'],
  query: z.object({ ...paging, ...memberFilter, bots: flag.optional() }),
  reply: listOf('clicks', click),
});
