import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { acknowledged, listOf, paging } from './envelope.ts';
import { plainLine } from './sessions.ts';
import type { utmFields } from './utm-address.ts';
import { edited, versioned } from './versions.ts';

const value = plainLine(200).nullable();
const values = { source: value, medium: value, campaign: value, term: value, content: value };
const name = plainLine(100).pipe(z.string().min(1, 'Enter a name for the template.'));

export const utm = z.object({
  id: z.number().int(),
  name: z.string(),
  source: z.string().nullable(),
  medium: z.string().nullable(),
  campaign: z.string().nullable(),
  term: z.string().nullable(),
  content: z.string().nullable(),
  ...versioned,
});
export type UtmTemplate = z.output<typeof utm>;
/** The template fields that are applied to URLs. */
export type UtmValues = Pick<UtmTemplate, (typeof utmFields)[number]>;

export const listUtms = endpoint({
  method: 'GET',
  path: '/api/utms',
  summary: 'List UTM templates, in the order of their names.',
  scope: 'links',
  query: z.object(paging),
  reply: listOf('utms', utm),
});

export const addUtm = endpoint({
  method: 'POST',
  path: '/api/utm/add',
  summary: 'Create a UTM template; its values replace those of a destination.',
  scope: 'links',
  body: z.object({ name, ...z.object(values).partial().shape }),
  reply: z.object({ id: z.number().int() }),
});

export const updateUtm = endpoint({
  method: 'PUT',
  path: '/api/utm/:id/update',
  summary: 'Update a UTM template; links that it was applied to stay as they are.',
  scope: 'links',
  body: z.object({ name, ...values }).partial(),
  reply: edited,
});

export const deleteUtm = endpoint({
  method: 'DELETE',
  path: '/api/utm/:id/delete',
  summary: 'Delete a UTM template; links that it was applied to stay as they are.',
  scope: 'links',
  reply: acknowledged,
});
