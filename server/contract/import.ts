import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { alwaysSent } from './envelope.ts';

/** Rows per request: few enough for a short transaction, many enough to need few requests. */
export const maxImportRows = 200;

/**
 * How to handle a row whose alias exists with another destination: skip it, use a random alias, or update the existing
 * link's destination.
 */
export const importConflicts = ['skip', 'rename', 'replace'] as const;

export const importOutcomes = ['create', 'rename', 'replace', 'exists', 'skip', 'problem'] as const;

export const importRow = z.object({
  url: z.string().max(20_000),
  alias: z.string().max(1000).optional(),
  title: z.string().max(5000).optional(),
  description: z.string().max(20_000).optional(),
  note: z.string().max(20_000).optional(),
  tags: z.array(z.string().max(500)).max(100).optional(),
  domain: z.string().max(300).optional(),
  /**
   * The host of the original short URL. Without `domain`, the link uses it if it is one of the account's domains;
   * otherwise it is ignored.
   */
  shorthost: z.string().max(300).optional(),
  /** The name of a campaign, which is created if missing. */
  campaign: z.string().max(500).optional(),
  /** The id or name of a UTM template, which is applied to the destination. */
  utm: z.string().max(100).optional(),
  /** `YYYY-MM-DD HH:MM:SS`, when the link was created, if known. */
  date: z.string().max(40).optional(),
  /** The same for when the link is to be archived, and when it is to be deleted. */
  archiveon: z.string().max(40).optional(),
  deleteon: z.string().max(40).optional(),
  /** When the link expires; a date alone means the end of that day. */
  expiry: z.string().max(40).optional(),
  /** Whether the link was archived in the source. */
  archived: z.boolean().optional(),
  /** Whether visitors were asked for a password there. No file has it, so the new link is archived. */
  protected: z.boolean().optional(),
  /** The IANA time zone of the dates of the row, also of those in `settings`; the account's unless said. */
  timezone: z.string().max(100).optional(),
  /** Everything else that can be set on a link, as fields of `POST /api/url/add`; see `linkSettings`. */
  settings: z.record(z.string(), z.unknown()).optional(),
  /**
   * An idempotency token that the client generates per row and import: resending a row with its token creates no
   * duplicate, even without an alias or with `rename`.
   */
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,100}$/, 'Use 16 to 100 letters, digits, hyphens and underscores for the token.')
    .meta({
      description:
        'Chosen by you, unique for each row of each import. A row sent again with the same token creates no duplicate: the reply is `exists` as long as its link exists.',
    })
    .optional(),
});
export type ImportRow = z.output<typeof importRow>;

export const importedRow = z.object({
  outcome: z.enum(importOutcomes),
  /** Stable code of an error or a skip, such as `invalid_url` or `alias_taken`. */
  code: z.string().optional(),
  message: z.string().optional(),
  /** All codes, if `message` contains several reasons; `code` is the first one. */
  codes: z.array(z.string()).optional(),
  /** The invalid field of the row, such as `settings.redirect`. */
  field: z.string().optional(),
  id: z.number().int().optional(),
  alias: z.string().optional(),
  shorturl: z.string().optional(),
});
export type ImportedRow = z.output<typeof importedRow>;

const plannedCount = z.number().int().min(0).max(100_000_000).default(0);

/**
 * Ours. Imports a batch of rows: the client reads the file, sends batches and shows the progress. Each row is one
 * transaction; a row sent again returns `exists`, so there are no duplicates. A row without an alias is identified by
 * its token.
 */
export const importLinks = endpoint({
  method: 'POST',
  path: '/api/urls/import',
  summary: 'Create links from rows of another service; dryrun returns what each row would do.',
  scope: 'links',
  scopeRule:
    'Rows with tags need `channels:write` as well, because an unknown tag creates a channel; those with a campaign need `campaigns:write`.',
  body: z.object({
    rows: z.array(importRow).min(1).max(maxImportRows),
    conflict: z.enum(importConflicts).default('skip'),
    otherdomain: z
      .string()
      .max(300)
      .meta({
        description:
          'Where rows go whose domain this account does not have: the id, host name or address of one that it has, or the address of the instance. Without it, such a row is a problem (`unknown_domain`).',
      })
      .optional(),
    dryrun: z.boolean().default(false),
    planned: z
      .object({ links: plannedCount, channels: plannedCount, campaigns: plannedCount })
      .meta({
        description:
          'With dryrun, how many links, channels and campaigns the rows of earlier dry runs of the same file would make: they count against the plan and the ceilings as if they were there.',
      })
      .optional(),
  }),
  reply: z.object({
    data: z.object({
      /** One entry per row, in order. */
      rows: z.array(importedRow),
      /** Names of channels that the tags created, or would create. */
      channels: z.array(z.string()),
      /** The same for campaigns. */
      campaigns: alwaysSent(z.array(z.string())),
    }),
  }),
});
