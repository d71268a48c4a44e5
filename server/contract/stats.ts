import { z } from 'zod';
import { belowFilter } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { alwaysSent, day, digits, listOf, paging, timestamp } from './envelope.ts';
import { memberFilter } from './marks.ts';
import { ownParameters, parameterDimensions } from './parameters.ts';
import { omitted } from './privacy.ts';

export const statsPeriods = ['24h', '7d', '30d', '90d', '12m', 'all'] as const;
export type StatsPeriod = (typeof statsPeriods)[number];

/**
 * What the log has of clicks. `source` is link, qr, rotator, bio or api; `param1` and so on are the account's own
 * parameters; `edge` is the name of the edge of a fleet that answered, empty for this server.
 */
export const loggedDimensions = [
  'country',
  'region',
  'city',
  'referrer',
  'browser',
  'os',
  'device',
  'language',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  ...parameterDimensions,
  'edge',
] as const;
export type LoggedDimension = (typeof loggedDimensions)[number];

/** What clicks are counted by. The continent is that of the country. */
export const statsDimensions = ['continent', ...loggedDimensions] as const;
export type StatsDimension = (typeof statsDimensions)[number];

const flag = z.enum(['0', '1']);

/** Values that a filter takes at most; their length is that of a counted word. */
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
 * Counts only clicks that have one of the values of each dimension named; a repeated parameter is one more value, an
 * empty one the unknown value. Filters read the log of single clicks, so they reach as far back as these are kept
 * (decision 0076).
 */
export const statsFilters = Object.fromEntries(statsDimensions.map((name) => [name, filter])) as Record<
  StatsDimension,
  typeof filter
>;

/** Counts only the links that are in this campaign or channel, or on this domain (id, host or address). */
export const statsLinks = {
  campaign: digits.optional(),
  channel: digits.optional(),
  ...belowFilter,
  domain: z.string().max(300).optional(),
};

/** `from` and `to` (both days included, account's time zone) win over `period`. */
export const statsQuery = z.object({
  period: z.enum(statsPeriods).default('30d'),
  from: day.optional(),
  to: day.optional(),
  /** 1 counts bots too. */
  bots: flag.optional(),
  /** Adds the course of the period before. */
  compare: z.literal('previous').optional(),
  /**
   * First and last day of any other period to compare with, in place of the one before. Without its last day it is as
   * long as the period itself. Both are cut into intervals of the same length.
   */
  comparefrom: day.optional(),
  compareto: day.optional(),
});
/** What of `statsQuery` is about a second period. */
export const secondPeriod = { compare: true, comparefrom: true, compareto: true } as const;

const metrics = { clicks: z.number().int(), uniqueclicks: z.number().int() };

const point = z.object({ at: timestamp, ...metrics });

export const stats = z.object({
  from: timestamp,
  to: timestamp,
  interval: z.enum(['hour', 'day', 'month']),
  ...metrics,
  bots: z.number().int(),
  /** The period of the same length before this one, or the one that was chosen; null for `all`. */
  previous: z
    .object({
      ...metrics,
      series: z.array(point).optional(),
      /** Of a period that was chosen. */
      from: timestamp.optional(),
      to: timestamp.optional(),
    })
    .nullable(),
  /** One entry an interval, without gaps; `at` is its start in the account's time zone. */
  series: z.array(point),
  /**
   * The most frequent values of each dimension, at most 50 each; countries are ISO codes, an unknown value is ''. Those
   * of a dimension that is filtered are counted under the other filters alone.
   */
  dimensions: z.partialRecord(z.enum(statsDimensions), z.array(z.object({ value: z.string(), ...metrics }))),
  /** The account's own parameters, with the dimension of each. */
  parameters: ownParameters.optional(),
  /**
   * Under filters: from when on there are single clicks, where older ones of the period are no longer kept; null where
   * all of the period could be filtered.
   */
  filteredsince: timestamp.nullable().optional(),
  /** What is not kept of new visits, by the choice of the instance or the account. */
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

/** The sum over the links that are in each of them now; a link in two channels counts in both. At most ten of each. */
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
      /** The id is null for the instance's own address. */
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

/** One visit as it was recorded. */
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
  /** The visitor's address; null unless the instance stores addresses (decision 0026). */
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
