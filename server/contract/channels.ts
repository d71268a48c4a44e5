import { z } from 'zod';
import { color } from './colors.ts';
import { editInfo, memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import { acknowledged, alwaysSent, listOf, loosened, paging, substring } from './envelope.ts';
import { isUnseen, plainLine } from './sessions.ts';
import { edited } from './versions.ts';

export const channelItemTypes = ['links', 'bio', 'qr'] as const;
export type ChannelItemType = (typeof channelItemTypes)[number];

/** Contract, "Channel item". `preview` is the item's destination, `link` its own URL. */
export const channelItem = z.object({
  type: z.enum(channelItemTypes),
  id: z.number().int(),
  title: z.string(),
  preview: z.string(),
  link: z.string(),
  date: z.string().regex(/^\d{4}-\d\d-\d\d$/),
});
export type ChannelItem = z.output<typeof channelItem>;

const namedChannel = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  color: z.string().nullable(),
  starred: z.boolean(),
});

/** Contract, "Channel". `count` is only in the full list variant. */
export const channel = z.object({
  ...namedChannel.shape,
  count: alwaysSent(z.number().int()),
  /** Ours: number of items by type; only if `items` is requested. */
  counts: z.record(z.enum(channelItemTypes), z.number().int()).optional(),
  /** Ours: the newest items; only if `items` is requested. */
  items: z.array(channelItem).optional(),
  ...editInfo,
});
export type Channel = z.output<typeof channel>;

/**
 * Ours, with a filter by channel: 1 includes nested channels. A slash nests: `print/2027` is below `print`, ignoring
 * case.
 */
export const belowFilter = { below: z.enum(['0', '1']).optional() };

/** Maximum number of channels per record, because each visit counts in all of them. */
export const mostChannels = 50;

export const channelName = plainLine(100).pipe(z.string().min(1, 'Enter a name for the channel.'));

/** Bidirectional control characters. They can make a name look nested under a different channel. */
const turning = /[\u202a-\u202e\u2066-\u2069]/;

/** Why a channel name is invalid; undefined if it is valid. Existing names are not checked. */
export function channelNameProblem(name: string): 'empty_part' | 'turned_text' | undefined {
  if (turning.test(name)) return 'turned_text';
  return name.split('/').some(isUnseen) ? 'empty_part' : undefined;
}

/**
 * Cleans up a channel name so that `channelNameProblem` accepts it: `/a//b/` becomes `a/b`. Returns '' if nothing is
 * left.
 */
export function channelNameOf(text: string): string {
  const parts = text.replace(new RegExp(turning, 'g'), '').split('/');
  return parts
    .filter((part) => !isUnseen(part))
    .join('/')
    .trim();
}

const channelFields = {
  description: plainLine(500).nullable(),
  color: z.union([color, z.literal('')]).nullable(),
  starred: z.boolean(),
};

export const newChannel = z.object({ name: channelName, ...z.object(channelFields).partial().shape });
export type NewChannel = z.output<typeof newChannel>;
export const channelChange = z.object({ name: channelName, ...channelFields }).partial();
export type ChannelChange = z.output<typeof channelChange>;

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channels',
  summary: 'List channels in alphabetical order.',
  scope: 'channels',
  query: z.object({
    ...memberFilter,
    ...paging,
    q: substring.optional(),
    filter: z.enum(['starred']).optional(),
    /** Ours: how many of the newest items to include per channel, along with counts by type. */
    items: paging.limit
      .unwrap()
      .transform((items) => Math.min(items, 10))
      .optional(),
  }),
  reply: listOf('channels', channel),
});

export const getChannel = endpoint({
  method: 'GET',
  path: '/api/channel/:id',
  summary: "List a channel's items (links, bio pages and QR codes), newest first.",
  scope: 'channels',
  alsoReads: ['links', 'bio', 'qr'],
  query: z.object({
    ...paging,
    /** Ours: only items of this type. */
    type: z.enum(channelItemTypes).optional(),
    ...belowFilter,
  }),
  reply: listOf('items', channelItem),
});

export const addChannel = endpoint({
  method: 'POST',
  path: '/api/channel/add',
  summary: 'Create a channel.',
  scope: 'channels',
  body: newChannel,
  reply: namedChannel,
});

/** The published reply is only the message; ours includes the channel (decision 0015). */
export const updateChannel = endpoint({
  method: 'PUT',
  path: '/api/channel/:id/update',
  summary: 'Update a channel; omitted fields are unchanged.',
  scope: 'channels',
  body: channelChange,
  reply: z.object({ ...edited.shape, ...loosened(namedChannel).shape }),
});

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channel/:id/delete',
  summary: 'Delete a channel; its items are kept.',
  scope: 'channels',
  reply: acknowledged,
});

/** Ours: available for 30 days; restores the id and those items that still exist. */
export const restoreChannel = endpoint({
  method: 'POST',
  path: '/api/channel/:id/restore',
  summary: 'Restore a deleted channel.',
  scope: 'channels',
  bodyOptional: true,
  reply: namedChannel,
});

export const assignChannel = endpoint({
  method: 'POST',
  path: '/api/channel/:channelid/assign/:type/:itemid',
  summary: 'Assign a link, bio page or QR code to a channel.',
  scope: 'channels',
  params: { type: z.enum(channelItemTypes) },
  bodyOptional: true,
  reply: acknowledged,
});

/** Ours. */
export const unassignChannel = endpoint({
  method: 'POST',
  path: '/api/channel/:channelid/unassign/:type/:itemid',
  summary: 'Remove a link, bio page or QR code from a channel.',
  scope: 'channels',
  params: { type: z.enum(channelItemTypes) },
  bodyOptional: true,
  reply: acknowledged,
});
