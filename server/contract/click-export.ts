import { z } from 'zod';
import { memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import { day, timestamp } from './envelope.ts';
import { statsFilters, statsLinks, statsPeriods } from './stats.ts';

/** Columns of an exported click, in order. */
export const clickColumns = [
  'id',
  'date',
  'link',
  'shorturl',
  'title',
  'source',
  'rule',
  'country',
  'region',
  'city',
  'referrer',
  'browser',
  'os',
  'device',
  'language',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'parameters',
  'bot',
  'address',
  'edge',
] as const;

const text = z.string();
/** One line of `jsonl`. Unknown values are empty; `rule` is the zero-based index of the matching rule. */
export const exportedClick = z.object({
  id: z.number().int(),
  date: timestamp,
  link: z.number().int(),
  shorturl: text,
  title: text.nullable(),
  source: text,
  rule: z.number().int().nullable(),
  country: text,
  region: text,
  city: text,
  referrer: text,
  browser: text,
  os: text,
  device: text,
  language: text,
  utm_source: text,
  utm_medium: text,
  utm_campaign: text,
  utm_term: text,
  utm_content: text,
  /** The account's own parameters, as a query string. */
  parameters: text,
  bot: z.boolean(),
  address: text.nullable(),
  /** The fleet edge that answered; empty for this server. */
  edge: text,
} satisfies Record<(typeof clickColumns)[number], z.ZodType>);
export type ExportedClick = z.output<typeof exportedClick>;

const query = {
  format: z.enum(['csv', 'jsonl']).default('csv'),
  /**
   * `from` and `to` (inclusive days in the account's time zone) override `period`; by default all clicks are exported.
   */
  period: z.enum(statsPeriods).default('all'),
  from: day.optional(),
  to: day.optional(),
  /** 1 includes bots. */
  bots: z.enum(['0', '1']).optional(),
  /** 1 returns one page as a JSON document, with a cursor for the next one. */
  inline: z.enum(['0', '1']).default('0'),
  /** Only clicks with greater ids. */
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'Send an id.')
    .transform(Number)
    .optional(),
  ...statsFilters,
};

const part = z.object({
  data: z.object({
    filename: z.string(),
    content: z.string(),
    /** The `after` value of the next page; null on the last one. */
    next: z.number().int().nullable(),
  }),
});
const answers = {
  'text/csv': z.string(),
  'application/x-ndjson': z.string(),
  'application/json': z.object({ error: z.literal(0), ...part.shape }),
};

export const exportClicks = endpoint({
  method: 'GET',
  path: '/api/clicks/export',
  acts: 'edit',
  summary: 'Export single clicks of the account with every field, oldest first, as CSV or JSON lines.',
  scope: 'stats',
  alsoReads: ['links'],
  query: z.object({ ...query, ...memberFilter, ...statsLinks }),
  reply: part,
  answers,
});

export const exportLinkClicks = endpoint({
  method: 'GET',
  path: '/api/url/:id/clicks/export',
  acts: 'edit',
  summary: 'Export single clicks of a link with every field, oldest first, as CSV or JSON lines.',
  scope: 'stats',
  alsoReads: ['links'],
  query: z.object(query),
  reply: part,
  answers,
});
