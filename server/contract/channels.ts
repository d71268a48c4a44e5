import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { listOf, paging, substring } from './envelope.ts';

/** Contract, "Channel". `count` is in the fuller list variant only. */
export const channel = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  color: z.string().nullable(),
  starred: z.boolean(),
  count: z.number().int().optional(),
});
export type Channel = z.output<typeof channel>;

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channels',
  summary: 'Channels in alphabetical order.',
  scope: 'channels',
  query: z.object({ ...paging, q: substring.optional(), filter: z.enum(['starred']).optional() }),
  reply: listOf('channels', channel),
});
