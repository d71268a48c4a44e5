import { z } from 'zod';
import { editInfo, memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import { acknowledged, alwaysSent, listOf, paging, substring, timestamp } from './envelope.ts';
import { pagePreview } from './overlays.ts';
import { plainLine } from './sessions.ts';
import { edited } from './versions.ts';

/** Contract, "Custom splash page": a list entry. */
export const splashPage = z.object({
  id: z.number().int(),
  name: z.string(),
  date: timestamp,
  /** Ours: the heading that visitors see, and the links that use the page. */
  title: alwaysSent(z.string().nullable()),
  links: alwaysSent(z.number().int()),
  ...editInfo,
});
export type SplashPage = z.output<typeof splashPage>;

export const splashDetails = z.object({
  ...splashPage.shape,
  title: z.string().nullable(),
  message: z.string().nullable(),
  product: z.string().nullable(),
  avatar: z.string().nullable(),
  banner: z.string().nullable(),
  counter: z.number().int(),
});
export type SplashDetails = z.output<typeof splashDetails>;

const address = z.string().max(8192).nullable();
const name = plainLine(120).pipe(z.string().min(1, 'Enter a name for the splash page.'));

const splashFields = {
  title: plainLine(120).nullable(),
  message: plainLine(1000).nullable(),
  /** URL of the page's subject. */
  product: address,
  /** PNG or JPEG images; the server fetches them once and serves its own copies. */
  avatar: address,
  banner: address,
  /** Seconds before the redirect; default 10. */
  counter: z.number().int().min(1, 'Choose 1 to 60 seconds.').max(60, 'Choose 1 to 60 seconds.'),
};

export const newSplash = z.object({ name, ...z.object(splashFields).partial().shape });
export type NewSplash = z.output<typeof newSplash>;
export const splashChange = z.object({ name, ...splashFields }).partial();
export type SplashChange = z.output<typeof splashChange>;

export const listSplash = endpoint({
  method: 'GET',
  path: '/api/splash',
  summary: 'List custom splash pages, newest first.',
  scope: 'splash',
  query: z.object({
    ...memberFilter,
    ...paging,
    /** Ours: filters by a substring of the name or title. */
    q: substring.optional(),
  }),
  reply: listOf('splash', splashPage),
});

export const getSplash = endpoint({
  method: 'GET',
  path: '/api/splash/:id',
  summary: 'Get a custom splash page with its content.',
  scope: 'splash',
  reply: z.object({ data: splashDetails }),
});

export const addSplash = endpoint({
  method: 'POST',
  path: '/api/splash/add',
  summary: 'Create a custom splash page.',
  scope: 'splash',
  body: newSplash,
  reply: z.object({ id: z.number().int(), message: z.string() }),
});

export const previewSplash = endpoint({
  method: 'POST',
  path: '/api/splash/preview',
  summary: 'Preview a splash page as visitors would see it; nothing is stored.',
  scope: 'splash',
  reads: true,
  body: z.object({ name: plainLine(120), ...splashFields }).partial(),
  reply: z.object({ data: pagePreview }),
});

export const updateSplash = endpoint({
  method: 'PUT',
  path: '/api/splash/:id/update',
  summary: 'Update a custom splash page; omitted fields are unchanged.',
  scope: 'splash',
  body: splashChange,
  reply: edited,
});

export const deleteSplash = endpoint({
  method: 'DELETE',
  path: '/api/splash/:id/delete',
  summary: 'Delete a custom splash page; its links then redirect straight to their destinations.',
  scope: 'splash',
  reply: acknowledged,
});

/** Ours: available for 30 days; restores the id and the links it was used on. */
export const restoreSplash = endpoint({
  method: 'POST',
  path: '/api/splash/:id/restore',
  summary: 'Restore a deleted custom splash page.',
  scope: 'splash',
  bodyOptional: true,
  reply: acknowledged,
});
