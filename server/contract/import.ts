import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { alwaysSent } from './envelope.ts';

/** Rows of one request: small enough for one short transaction, large enough for few requests. */
export const maxImportRows = 200;

/**
 * What to do with a row whose alias is taken by another destination:
 * leave it out, give the new link a random alias, or point the existing link to the new destination.
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
   * The host of the short address that the link had. Without `domain`, the link is on it where it is one of the
   * account's domains; any other is left out.
   */
  shorthost: z.string().max(300).optional(),
  /** The name of a campaign; one that is missing is created. */
  campaign: z.string().max(500).optional(),
  /** The id or name of a UTM template, which is written into the destination. */
  utm: z.string().max(100).optional(),
  /** `YYYY-MM-DD HH:MM:SS`, when the source knows when the link was made. */
  date: z.string().max(40).optional(),
  /** The same, when the link is to be archived, and when it goes to the trash. */
  archiveon: z.string().max(40).optional(),
  deleteon: z.string().max(40).optional(),
  /** When the link ends; a bare date is the end of that day. */
  expiry: z.string().max(40).optional(),
  /** Whether the link was archived where it comes from. */
  archived: z.boolean().optional(),
  /** Whether visitors were asked for a password there. No file has it, so the new link is archived. */
  protected: z.boolean().optional(),
  /** The IANA time zone of the dates of the row, also of those in `settings`; the account's unless said. */
  timezone: z.string().max(100).optional(),
  /** Everything else that can be set on a link, as fields of `POST /api/url/add`; see `linkSettings`. */
  settings: z.record(z.string(), z.unknown()).optional(),
  /**
   * Made up by the client, another one for each row of each import: a row that is sent again with its token makes
   * nothing twice, also without an alias or with `rename`.
   */
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,100}$/, 'Use 16 to 100 letters, digits, hyphens and underscores for the token.')
    .meta({
      description:
        'Made up by you, unique for each row of each import. Sent again with the same token, a row makes nothing twice: it is answered `exists` for as long as its link is there.',
    })
    .optional(),
});
export type ImportRow = z.output<typeof importRow>;

export const importedRow = z.object({
  outcome: z.enum(importOutcomes),
  /** Stable reason of a problem or a skip, such as `invalid_url` or `alias_taken`. */
  code: z.string().optional(),
  message: z.string().optional(),
  /** Every reason, where `message` tells of several; `code` is the first. */
  codes: z.array(z.string()).optional(),
  /** The field of the row that a problem is about, such as `settings.redirect`. */
  field: z.string().optional(),
  id: z.number().int().optional(),
  alias: z.string().optional(),
  shorturl: z.string().optional(),
});
export type ImportedRow = z.output<typeof importedRow>;

const plannedCount = z.number().int().min(0).max(100_000_000).default(0);

/**
 * Ours. Imports a slice of a file: the client reads the file, sends it in slices and shows the progress; each row is
 * one transaction, and sending it again answers `exists` for what is there already, so nothing is made twice. A row
 * without an alias is known by its token.
 */
export const importLinks = endpoint({
  method: 'POST',
  path: '/api/urls/import',
  summary: 'Create links from rows of another service; dryrun returns what each row would do.',
  scope: 'links',
  scopeRule:
    'Rows with tags need `channels:write` as well, because a tag without a channel makes one; those with a campaign need `campaigns:write`.',
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
      /** One entry a row, in the order of the rows. */
      rows: z.array(importedRow),
      /** Names of channels that the tags made, or would make. */
      channels: z.array(z.string()),
      /** The same of campaigns. */
      campaigns: alwaysSent(z.array(z.string())),
    }),
  }),
});
