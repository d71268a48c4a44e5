import { z } from 'zod';
import { editInfo, memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import { acknowledged, listOf, paging, substring, timestamp } from './envelope.ts';
import { plainLine } from './sessions.ts';
import { edited } from './versions.ts';

/**
 * Allowed characters of a tag for all services (decision 0016). Only these get into pages, so this also prevents script
 * injection (T-18). A slash joins the two ids that some services use.
 */
export const pixelTag = /^[A-Za-z0-9_-][A-Za-z0-9_.:-]{1,63}(?:\/[A-Za-z0-9_-][A-Za-z0-9_.:-]{1,63})?$/;

const googleTag = /^(GTM|GT|GA|G|UA|AW|DC)-[A-Z0-9]{2,16}(-\d{1,4})?$/;

/**
 * The usual tag format per type. Other formats are accepted with a warning in the app, because services change their
 * formats, and other installations accept any.
 */
export const pixelTags = {
  gtmpixel: { pattern: googleTag, example: 'GTM-ABC1234' },
  gapixel: { pattern: googleTag, example: 'G-ABCDEF1234' },
  fbpixel: { pattern: /^\d{5,20}$/, example: '123456789012345' },
  adwordspixel: { pattern: /^AW-\d{5,15}(\/[A-Za-z0-9_-]{4,40})?$/, example: 'AW-123456789/AbC-D_efG' },
  linkedinpixel: { pattern: /^\d{4,12}$/, example: '1234567' },
  twitterpixel: { pattern: /^(tw-)?[a-z0-9]{4,12}(-[a-z0-9]{4,12})?$/, example: 'o1a2b' },
  adrollpixel: {
    pattern: /^[A-Z0-9]{16,28}\/[A-Z0-9]{16,28}$/,
    example: 'ABCDEFGHIJKLMNOPQRSTUV/ABCDEFGHIJKLMNOPQRSTUV',
  },
  quorapixel: { pattern: /^[0-9a-f]{32}$/, example: '0123456789abcdef0123456789abcdef' },
  pinterest: { pattern: /^\d{8,16}$/, example: '2612345678901' },
  bing: { pattern: /^\d{5,12}$/, example: '12345678' },
  snapchat: {
    pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
    example: '01234567-89ab-cdef-0123-456789abcdef',
  },
  reddit: { pattern: /^[at]2_[a-z0-9]{4,16}$/, example: 't2_abc123' },
  tiktok: { pattern: /^[A-Z0-9]{16,24}$/, example: 'C1ABCDEFGHIJ23KLMNOP' },
} as const satisfies Record<string, { pattern: RegExp; example: string }>;
export type PixelType = keyof typeof pixelTags;
export const pixelTypes = Object.keys(pixelTags) as [PixelType, ...PixelType[]];

/** Ours: what a page loads for a pixel, and from where. */
export const pixelRequests = z.object({
  /** Image URLs: one request each, with or without scripts. */
  pictures: z.array(z.string()),
  /** URL of the service's script; null if images are sufficient. */
  script: z.string().nullable(),
  /** Hosts that images and the script may contact; `https:` means any. */
  hosts: z.array(z.string()),
});
export type PixelRequests = z.output<typeof pixelRequests>;

/** Decision 0016. Other servers may have types of their own. */
export const pixel = z.object({
  id: z.number().int(),
  type: z.string(),
  name: z.string(),
  tag: z.string(),
  date: timestamp,
  /** Ours: number of links that use it; only with `figures=1`. */
  links: z.number().int().optional(),
  /** Ours: what it makes a page load; only with `figures=1`. */
  requests: pixelRequests.optional(),
  ...editInfo,
});
export type Pixel = z.output<typeof pixel>;

const metricsQuery = {
  /** Ours: 1 adds the number of links that use it, and what it loads. */
  figures: z.enum(['0', '1']).optional(),
};

const name = plainLine(120).pipe(z.string().min(1, 'Enter a name for the pixel.'));
/** The server validates the format, so that the error message can include the service's example. */
const tag = z.string().max(150, 'Use at most 150 characters for the tag.').meta({ pattern: pixelTag.source });

export const listPixels = endpoint({
  method: 'GET',
  path: '/api/pixels',
  summary: 'List pixels, newest first.',
  scope: 'pixels',
  query: z.object({ ...paging, ...memberFilter, q: substring.optional(), ...metricsQuery }),
  reply: listOf('pixels', pixel),
});

export const getPixel = endpoint({
  method: 'GET',
  path: '/api/pixel/:id',
  summary: 'Get a pixel.',
  scope: 'pixels',
  query: z.object(metricsQuery),
  reply: z.object({ data: pixel }),
});

export const addPixel = endpoint({
  method: 'POST',
  path: '/api/pixel/add',
  summary: 'Create a pixel.',
  scope: 'pixels',
  body: z.object({ type: z.enum(pixelTypes), name, tag }),
  reply: z.object({ id: z.number().int() }),
});

export const updatePixel = endpoint({
  method: 'PUT',
  path: '/api/pixel/:id/update',
  summary: 'Update the name or tag of a pixel.',
  scope: 'pixels',
  body: z.object({ name, tag }).partial(),
  reply: edited,
});

export const deletePixel = endpoint({
  method: 'DELETE',
  path: '/api/pixel/:id/delete',
  summary: 'Delete a pixel and remove it from all links.',
  scope: 'pixels',
  reply: acknowledged,
});

/** Ours: available for 30 days; restores the id and the links it was used on. */
export const restorePixel = endpoint({
  method: 'POST',
  path: '/api/pixel/:id/restore',
  summary: 'Restore a deleted pixel.',
  scope: 'pixels',
  bodyOptional: true,
  reply: acknowledged,
});
