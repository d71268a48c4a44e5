import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { presence } from './presence.ts';
import { click } from './stats.ts';

/**
 * A live stream event: one JSON document per event's `data`, with the event's name as `type`. Under load `click` is
 * throttled: `clicks` is then the link's total at that time and `recent` only a sample, so clients replace their value
 * instead of adding up.
 */
export const serverEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello') }),
  z.object({
    type: z.literal('click'),
    link: z.number().int(),
    count: z.number().int(),
    recent: z.array(click),
  }),
  z.object({ type: z.literal('changed'), resource: z.string(), ids: z.array(z.number().int()) }),
  /** Users viewing a record or editing it. */
  z.object({ type: z.literal('presence'), ...presence.shape }),
]);
export type ServerEvent = z.output<typeof serverEvent>;

export const streamEvents = endpoint({
  method: 'GET',
  path: '/api/events',
  summary: "Live stream (server-sent events) of the account's clicks and changes.",
  scope: 'stats',
  alsoReads: ['links'],
  scopeRule: 'A key receives changes of what it may read.',
  reply: z.unknown(),
  answers: { 'text/event-stream': z.string() },
});
