import { z } from 'zod';
import { bioBlock, lines, newBioBlock } from './bio-blocks.ts';
import { bioFonts, bioShapes, bioThemeNames } from './bio-themes.ts';
import { color } from './colors.ts';
import { editInfo, memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import {
  acknowledged,
  alwaysSent,
  domainReference,
  identifier,
  listOf,
  paging,
  substring,
  timestamp,
} from './envelope.ts';
import { omitted } from './privacy.ts';
import { plainLine } from './sessions.ts';
import { secondPeriod, statsQuery } from './stats.ts';
import { edited } from './versions.ts';

/** A list entry (decision 0018). `link` is the page's URL, `picture` the path of its avatar on this server. */
export const bioPage = z.object({
  id: z.number().int(),
  name: z.string(),
  title: z.string().nullable(),
  alias: z.string(),
  link: z.string(),
  domain: z.string(),
  picture: z.string().nullable(),
  views: z.number().int(),
  uniqueviews: z.number().int(),
  clicks: z.number().int(),
  date: timestamp,
  ...editInfo,
});
export type BioPage = z.output<typeof bioPage>;

const theme = z.enum(bioThemeNames as [string, ...string[]], 'Choose one of the themes.');
const colors = z.object({ background: color, text: color, button: color, buttontext: color }).partial();
const shape = z.enum(bioShapes);
const font = z.enum(bioFonts);

export const bioDetails = z.object({
  ...bioPage.shape,
  description: z.string().nullable(),
  /** The source URL of the avatar. */
  avatar: z.string().nullable(),
  theme,
  colors,
  shape: shape.nullable(),
  font: font.nullable(),
  blocks: z.array(bioBlock),
  /** Branded domains that show this page at their root. */
  frontof: z.array(z.string()),
  /** Ours: when its forms last reached a limit (1,000 messages per day are accepted; the latest 20,000 are kept). */
  limitreached: alwaysSent(timestamp.nullable()),
});
export type BioDetails = z.output<typeof bioDetails>;

const address = z.string().max(8192, 'Use a URL of at most 8192 characters.');
const name = plainLine(120).pipe(z.string().min(1, 'Enter a name for the page.'));

/** null or an empty string clears a field; a page without an alias gets a random one, which is kept. */
const bioFields = {
  alias: z.string().max(400).nullable(),
  domain: domainReference.nullable(),
  /** The visible title; defaults to the name. */
  title: plainLine(120).nullable(),
  description: lines(500).nullable(),
  /** A PNG or JPEG; the server fetches it once and serves its own copy. */
  avatar: address.nullable(),
  theme: theme.nullable(),
  /** Overrides the theme's colors; text must have enough contrast. */
  colors: colors.nullable(),
  shape: shape.nullable(),
  font: font.nullable(),
  /** All blocks of the page, in order. */
  blocks: z.array(newBioBlock).max(100, 'Use at most 100 blocks.'),
};

export const newBio = z.object({ name, ...z.object(bioFields).partial().shape });
export type NewBio = z.output<typeof newBio>;
export const bioChange = z.object({ name, ...bioFields }).partial();
export type BioChange = z.output<typeof bioChange>;

export const listBios = endpoint({
  method: 'GET',
  path: '/api/bio',
  summary: 'List bio pages, newest first.',
  scope: 'bio',
  query: z.object({ ...paging, ...memberFilter, q: substring.optional() }),
  reply: listOf('bios', bioPage),
});

export const getBio = endpoint({
  method: 'GET',
  path: '/api/bio/:id',
  summary: 'Get a bio page with its blocks and their clicks.',
  scope: 'bio',
  reply: z.object({ data: bioDetails }),
});

export const addBio = endpoint({
  method: 'POST',
  path: '/api/bio/add',
  summary: 'Create a bio page.',
  scope: 'bio',
  body: newBio,
  reply: z.object({ id: z.number().int(), link: z.string(), message: z.string() }),
});

export const updateBio = endpoint({
  method: 'PUT',
  path: '/api/bio/:id/update',
  summary: 'Update a bio page; omitted fields are unchanged, blocks are replaced as a whole.',
  scope: 'bio',
  body: bioChange,
  reply: z.object({ ...edited.shape, data: bioDetails }),
});

export const deleteBio = endpoint({
  method: 'DELETE',
  path: '/api/bio/:id/delete',
  summary: 'Delete a bio page with its messages; domains that show it revert to redirectroot.',
  scope: 'bio',
  reply: acknowledged,
});

/** Ours: available for 30 days; restores the id, metrics, messages, channels and domains. */
export const restoreBio = endpoint({
  method: 'POST',
  path: '/api/bio/:id/restore',
  summary: 'Restore a deleted bio page.',
  scope: 'bio',
  bodyOptional: true,
  reply: addBio.reply,
});

/** Ours: renders an unsaved draft as visitors would see it. Incomplete blocks are left out. */
export const previewBio = endpoint({
  method: 'POST',
  path: '/api/bio/preview',
  summary: 'Preview a draft as self-contained HTML with inactive links.',
  scope: 'bio',
  // Users who only edit their own pages need the preview, and nothing is stored.
  reads: true,
  body: z.object({
    /** The page that the draft belongs to. What it already contains is shown even if the member has no access to it. */
    id: identifier.optional(),
    name: z.string().max(1000).optional(),
    title: z.string().max(1000).nullable().optional(),
    description: z.string().max(5000).nullable().optional(),
    avatar: address.nullable().optional(),
    theme: z.string().max(100).nullable().optional(),
    colors: colors.nullable().optional(),
    shape: shape.nullable().optional(),
    font: font.nullable().optional(),
    blocks: z.array(z.looseObject({})).max(100).optional(),
    /** Index of the block being edited, to scroll to. */
    focus: z.number().int().min(0).nullable().optional(),
  }),
  reply: z.object({ data: z.object({ html: z.string() }) }),
});
export type BioPreview = z.output<typeof previewBio.body>;

/** Ours: a message sent through a contact form. */
export const bioMessage = z.object({
  id: z.number().int(),
  block: z.number().int(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  date: timestamp,
});
export type BioMessage = z.output<typeof bioMessage>;

export const listBioMessages = endpoint({
  method: 'GET',
  path: '/api/bio/:id/messages',
  summary: 'List the contact form messages of a bio page, newest first.',
  scope: 'bio',
  query: z.object(paging),
  reply: listOf('messages', bioMessage),
});

export const deleteBioMessage = endpoint({
  method: 'DELETE',
  path: '/api/bio/:bioid/message/:messageid/delete',
  summary: 'Delete a message.',
  scope: 'bio',
  reply: acknowledged,
});

const metrics = { views: z.number().int(), clicks: z.number().int() };

/** Ours: views of the page and clicks on its blocks, without bots. */
export const bioStats = z.object({
  from: timestamp,
  to: timestamp,
  interval: z.enum(['hour', 'day', 'month']),
  ...metrics,
  /** The previous period of the same length; null for `all`. */
  previous: z.object(metrics).nullable(),
  series: z.array(z.object({ at: timestamp, ...metrics })),
  /** Blocks by clicks in the period, without deleted blocks. */
  blocks: z.array(
    z.object({ id: z.number().int(), type: z.string(), title: z.string(), clicks: z.number().int() }),
  ),
  /** Ours: data that is not collected for new visits, according to the instance's or the account's privacy settings. */
  notkept: z.array(z.enum(omitted)).optional(),
});
export type BioStats = z.output<typeof bioStats>;

export const getBioStats = endpoint({
  method: 'GET',
  path: '/api/bio/:id/stats',
  summary: 'Get the views of a bio page and the clicks on its blocks.',
  scope: 'stats',
  alsoReads: ['bio'],
  query: statsQuery.omit({ bots: true, ...secondPeriod }),
  reply: z.object({ data: bioStats }),
});
