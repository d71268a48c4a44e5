import { z } from 'zod';
import { belowFilter, mostChannels } from './channels.ts';
import { editInfo, memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import {
  acknowledged,
  alwaysSent,
  digits,
  domainReference,
  freeText,
  identifier,
  listOf,
  paging,
  substring,
  timestamp,
  timestampInput,
} from './envelope.ts';
import { linkFraming } from './framing.ts';
import { healthFilter, linkHealth } from './link-health.ts';
import { linkTraits, traitsWanted } from './link-traits.ts';
import { rule } from './rules.ts';
import { plainLine } from './sessions.ts';
import { versioned } from './versions.ts';

/** Allowed redirect statuses (decision 0021). */
export const redirectStatuses = [301, 302, 307, 308] as const;

/** How a destination is shown: `direct`, `frame`, `splash`, a custom splash page's id, or `overlay-<id>`. */
export const linkType = z
  .union([z.string(), z.number().int().positive().transform(String)])
  .pipe(
    z.string().regex(/^(direct|frame|splash|[1-9]\d{0,14}|overlay-[1-9]\d{0,14})$/, 'Unknown type of link.'),
  );

const destination = z
  .string()
  .min(1, 'Enter the URL to shorten.')
  .max(8192, 'Use a URL of at most 8192 characters.');

/** All settable fields of a link, for create and update. null or an empty string clears a field. */
const linkFields = {
  custom: z.string().max(400).nullable(),
  /** The id or name of a UTM template, which is applied to the destination. */
  utm: z.union([identifier, z.string().max(100)]).nullable(),
  title: plainLine(255).nullable(),
  description: freeText(2000).nullable(),
  note: freeText(5000).nullable(),
  type: linkType.nullable(),
  password: z.string().max(1024).nullable(),
  domain: domainReference.nullable(),
  status: z.enum(['public', 'private']),
  expiry: z.union([timestampInput, z.literal('')]).nullable(),
  notbefore: z.union([timestampInput, z.literal('')]).nullable(),
  clicklimit: z.number().int().min(0).max(1_000_000_000).nullable(),
  expirationredirect: z.string().max(8192).nullable(),
  /** Ours: when the link is archived and when it is deleted. A date alone means the start of that day. */
  archiveon: z.union([timestampInput, z.literal('')]).nullable(),
  deleteon: z.union([timestampInput, z.literal('')]).nullable(),
  geotarget: z.array(z.object({ location: z.string().min(1).max(80), link: destination })).max(300),
  devicetarget: z.array(z.object({ device: z.string().min(1).max(40), link: destination })).max(50),
  languagetarget: z.array(z.object({ language: z.string().min(1).max(40), link: destination })).max(200),
  rules: z.array(rule).max(100),
  abtesting: z.array(z.object({ url: destination, percentage: z.number().min(0).max(100) })).max(20),
  /**
   * Ours: when the A/B test ends, and the variant that all visitors get afterwards; null is the link's own destination.
   */
  testuntil: z.union([timestampInput, z.literal('')]).nullable(),
  testwinner: z.string().max(8192).nullable(),
  parameters: z.array(z.object({ name: z.string().min(1).max(255), value: z.string().max(2048) })).max(50),
  deeplink: z
    .object({
      auto: z.boolean().optional(),
      apple: z.string().max(2048).optional(),
      google: z.string().max(2048).optional(),
    })
    .nullable(),
  metatitle: plainLine(255).nullable(),
  metadescription: plainLine(500).nullable(),
  metaimage: z.string().max(2048).nullable(),
  pixels: z.array(identifier).max(50),
  channel: z.union([identifier, z.array(identifier).max(mostChannels)]).nullable(),
  campaign: identifier.nullable(),
  redirect: z.union(redirectStatuses.map((status) => z.literal(status))),
  forwardquery: z.boolean(),
  archived: z.boolean(),
  locked: z.boolean(),
};

export const newLink = z.object({ url: destination, ...z.object(linkFields).partial().shape });
export type NewLink = z.output<typeof newLink>;

/** What to do if the link already exists: return it, update it, or create another one. */
export const ifExists = z.enum(['return', 'update', 'create']);
const creation = newLink.extend({ ifexists: ifExists.optional() });

export const linkChange = z.object({ url: destination, ...linkFields }).partial();
export type LinkChange = z.output<typeof linkChange>;

/** Ours, in addition to the contract's `status`: the link's current state. */
export const linkState = z.enum(['active', 'scheduled', 'expired', 'exhausted', 'archived', 'trashed']);

export const link = z.object({
  id: z.number().int(),
  alias: z.string(),
  shorturl: z.string(),
  longurl: z.string(),
  title: z.string().nullable(),
  description: alwaysSent(z.string().nullable()),
  clicks: z.number().int(),
  uniqueclicks: alwaysSent(z.number().int()),
  domain: alwaysSent(z.string().nullable()),
  campaign: alwaysSent(z.number().int().nullable()),
  channel: alwaysSent(z.array(z.number().int())),
  status: alwaysSent(z.string()),
  state: alwaysSent(linkState),
  locked: alwaysSent(z.boolean()),
  expiry: alwaysSent(timestamp.nullable()),
  archiveon: alwaysSent(timestamp.nullable()),
  deleteon: alwaysSent(timestamp.nullable()),
  /** Null if destinations are not checked, or not yet. */
  health: alwaysSent(linkHealth.nullable()),
  date: timestamp,
  ...editInfo,
});
export type Link = z.output<typeof link>;

export const linkDetails = z.object({
  ...link.shape,
  note: alwaysSent(z.string().nullable()),
  type: alwaysSent(z.string()),
  location: alwaysSent(z.record(z.string(), z.string())),
  device: alwaysSent(z.record(z.string(), z.string())),
  language: alwaysSent(z.record(z.string(), z.string())),
  parameters: alwaysSent(z.array(z.object({ name: z.string(), value: z.string() }))),
  pixels: alwaysSent(z.array(z.number().int())),
  rules: alwaysSent(z.array(rule)),
  abtesting: alwaysSent(z.array(z.object({ url: z.string(), percentage: z.number() }))),
  testuntil: alwaysSent(timestamp.nullable()),
  testwinner: alwaysSent(z.string().nullable()),
  deeplink: alwaysSent(
    z
      .object({ auto: z.boolean().optional(), apple: z.string().optional(), google: z.string().optional() })
      .nullable(),
  ),
  metatitle: alwaysSent(z.string().nullable()),
  metadescription: alwaysSent(z.string().nullable()),
  metaimage: alwaysSent(z.string().nullable()),
  notbefore: alwaysSent(timestamp.nullable()),
  clicklimit: alwaysSent(z.number().int().nullable()),
  expirationredirect: alwaysSent(z.string().nullable()),
  redirect: alwaysSent(z.number().int()),
  forwardquery: alwaysSent(z.boolean()),
  archived: alwaysSent(z.boolean()),
  /** Whether the link has a password; the password itself is never returned. */
  protected: alwaysSent(z.boolean()),
  /** Whether the destination allows framing; null for types that do not frame. */
  framing: alwaysSent(linkFraming.nullable()),
});
export type LinkDetails = z.output<typeof linkDetails>;

const counts = z.record(z.string(), z.number().int());
/** A summary of a link's clicks (decision 0011). */
export const linkMetrics = z.object({
  clicks: z.number().int(),
  uniqueClicks: z.number().int(),
  topCountries: counts,
  topReferrers: counts,
  topBrowsers: counts,
  topOs: counts,
  socialCount: z.object({
    facebook: z.number().int(),
    twitter: z.number().int(),
    google: z.number().int(),
  }),
});

export const linkOrders = [
  'date',
  'date_asc',
  'date_desc',
  'click',
  'click_asc',
  'click_desc',
  'clicks',
  'clicks_asc',
  'clicks_desc',
  'name',
  'name_asc',
  'name_desc',
] as const;

/** List filters; `trash` shows only links deleted in the last 30 days. */
export const linkStatuses = [
  'public',
  'private',
  'active',
  'scheduled',
  'expired',
  'exhausted',
  'archived',
  'locked',
  'trash',
] as const;

export const linkFilter = {
  q: substring.optional(),
  campaign: digits.optional(),
  channel: digits.optional(),
  ...belowFilter,
  /** Ours: links that use this pixel. */
  pixel: digits.optional(),
  domain: z.string().max(300).optional(),
  /** Ours: `overlay-<id>` or a splash page's id filters by links that use it. */
  type: linkType.optional(),
  status: z.enum(linkStatuses).optional(),
  ...healthFilter,
  ...memberFilter,
};

/** The same query, but with `short` all other parameters are ignored and therefore not validated. */
function shortAlone<Query extends z.ZodType>(query: Query): Query {
  const alone = (sent: unknown) =>
    typeof sent === 'object' && sent !== null && 'short' in sent && sent.short !== undefined
      ? { short: sent.short }
      : sent;
  return z.preprocess(alone, query) as unknown as Query;
}

export const listLinks = endpoint({
  method: 'GET',
  path: '/api/urls',
  summary: 'List links, newest first by default, with filters and sorting.',
  scope: 'links',
  query: shortAlone(
    z.object({
      ...paging,
      ...linkFilter,
      order: z.enum(linkOrders).default('date'),
      ...traitsWanted,
      /** An alias, on any domain, or a short URL; all other parameters are then ignored. */
      short: z.string().min(1).max(1000).optional(),
    }),
  ),
  reply: listOf('urls', link.extend({ traits: linkTraits.optional() })),
});

const inlineFile = z.object({ data: z.object({ filename: z.string(), content: z.string() }) });
const exportedLink = z.object({
  ...linkDetails.omit({ framing: true, version: true }).shape,
  /** Absent for keys without access to campaigns or channels. */
  campaignname: z.string().nullable().optional(),
  channelnames: z.array(z.string()).optional(),
});

/**
 * Ours. Returns a file: CSV, or JSON with `urls` in the form of `details`. With `inline=1` it is wrapped as `{error,
 * data: {filename, content}}`, for clients that only accept JSON.
 */
export const exportLinks = endpoint({
  method: 'GET',
  path: '/api/urls/export',
  acts: 'edit',
  summary: 'Export the links that match a filter as a CSV or JSON file.',
  scope: 'links',
  scopeRule:
    'The names of campaigns are left out for keys without `campaigns:read`, and those of channels (the column `tags`) without `channels:read`.',
  query: z.object({
    ...linkFilter,
    format: z.enum(['csv', 'json']).default('csv'),
    inline: z.enum(['0', '1']).default('0'),
  }),
  reply: inlineFile,
  answers: {
    'text/csv': z.string(),
    'application/json': z.union([
      z.object({ urls: z.array(exportedLink) }),
      z.object({ error: z.literal(0), ...inlineFile.shape }),
    ]),
  },
});

export const getLink = endpoint({
  method: 'GET',
  path: '/api/url/:id',
  summary: 'Get a link with all its settings and a summary of its clicks.',
  scope: 'links',
  reply: z.object({ id: z.number().int(), details: linkDetails, data: linkMetrics }),
});

export const addLink = endpoint({
  method: 'POST',
  path: '/api/url/add',
  summary: 'Shorten a destination, or return the existing link (`ifexists`).',
  scope: 'links',
  body: creation,
  isIdempotent: true,
  reply: z.object({
    id: z.number().int(),
    shorturl: z.string(),
    /** Whether the link already existed; only if `ifexists` was sent. */
    existing: z.boolean().optional(),
  }),
});

export const updateLink = endpoint({
  method: 'PUT',
  path: '/api/url/:id/update',
  summary: 'Update a link; omitted fields are unchanged.',
  scope: 'links',
  body: linkChange,
  reply: z.object({ id: z.number().int(), short: z.string(), shorturl: z.string(), ...versioned }),
});

export const deleteLink = endpoint({
  method: 'DELETE',
  path: '/api/url/:id/delete',
  summary: 'Move a link to the trash for 30 days; a second time, or with force=1, delete it permanently.',
  scope: 'links',
  query: z.object({ force: z.enum(['0', '1']).optional() }),
  reply: z.object({ message: z.string(), undo: z.number().int().optional() }),
});

export const bulkActions = [
  'delete',
  'restore',
  'purge',
  'archive',
  'unarchive',
  'lock',
  'unlock',
  'campaign',
  'channel_add',
  'channel_remove',
  'domain',
  'redirect',
  'expiry',
  'archiveon',
  'deleteon',
  'utm',
] as const;
export type BulkAction = (typeof bulkActions)[number];

/** Maximum number of rows per response. */
export const mostBulkRows = 10_000;

export const bulkLinks = endpoint({
  method: 'POST',
  path: '/api/urls/bulk',
  summary:
    'Apply an action to many links; dryrun returns the outcome without writing, background a job to follow.',
  // Contributors can only act on links they created; others are rejected individually as `role_too_low`.
  acts: 'create',
  scope: 'links',
  body: z.object({
    ids: z.array(identifier).min(1).max(10_000, 'Choose at most 10,000 links at once.').optional(),
    filter: z
      .object({
        ...linkFilter,
        campaign: identifier.optional(),
        channel: identifier.optional(),
        pixel: identifier.optional(),
      })
      .optional(),
    /** Ours: links to exclude from the filter's matches. */
    except: z.array(identifier).max(10_000, 'Exclude at most 10,000 links.').optional(),
    action: z.enum(bulkActions),
    value: z.union([z.string().max(8192), z.number().int(), z.null()]).optional(),
    dryrun: z.boolean().optional(),
    /** Ours: returns the id of a job at once (`bulk-jobs.ts`) and continues in the background. */
    background: z.boolean().optional(),
  }),
  reply: z.object({
    message: z.string(),
    data: z.object({
      /** At most 10,000: if there are more links, unchanged ones come first. */
      rows: z.array(z.object({ id: z.number().int(), outcome: z.string(), code: z.string().optional() })),
      undo: z.number().int().nullable(),
      /** The background job; also set for an action on more than 100 links. */
      job: z.number().int().nullable().optional(),
      /** Totals over all links, including those without a row. */
      counts: z
        .object({
          done: z.number().int(),
          unchanged: z.number().int(),
          refused: z.number().int(),
          not_found: z.number().int(),
        })
        .optional(),
      codes: z.record(z.string(), z.number().int()).optional(),
      /** Number of links without a row. */
      omitted: z.number().int().optional(),
    }),
  }),
});

export const undo = endpoint({
  method: 'POST',
  path: '/api/undo/:id',
  acts: 'create',
  summary:
    'Undo a change to links: an edit, a deletion or a bulk action. Later changes to the same fields are kept.',
  scope: 'links',
  bodyOptional: true,
  reply: acknowledged,
});

export const linkHistory = endpoint({
  method: 'GET',
  path: '/api/url/:id/history',
  summary: 'List the changes to a link, newest first; each can be undone by its id.',
  scope: 'links',
  query: z.object(paging),
  reply: listOf(
    'changes',
    z.object({
      id: z.number().int(),
      action: z.string(),
      before: z.record(z.string(), z.unknown()),
      after: z.record(z.string(), z.unknown()),
      undone: z.boolean(),
      date: timestamp,
      /** Only in teams; null if the user was deleted. */
      created_by: editInfo.created_by,
    }),
  ),
});
