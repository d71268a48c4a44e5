import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { presence } from './presence.ts';
import { click } from './stats.ts';

/**
 * What the live stream tells, one JSON document in each event's `data`, `type` being its event name.
 * Under load `click` is thinned out: `clicks` is then the total of a link at that moment and `recent` only a sample,
 * so a reader sets what it shows and never adds up.
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
  /** Who looks at a record now, or has it open in a form. */
  z.object({ type: z.literal('presence'), ...presence.shape }),
]);
export type ServerEvent = z.output<typeof serverEvent>;

export const streamEvents = endpoint({
  method: 'GET',
  path: '/api/events',
  summary: "Live stream (server-sent events) of the account's clicks and changes.",
  scope: 'stats',
  alsoReads: ['links'],
  scopeRule: 'A key hears of changes of what it may read.',
  reply: z.unknown(),
  answers: { 'text/event-stream': z.string() },
});
