import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { authoredResources } from './roles.ts';

/** A person who views a record or has it open in a form. */
const present = z.object({ id: z.number().int(), name: z.string(), editing: z.boolean() });
export type Present = z.output<typeof present>;

/** The record, and the users present. */
export const presence = z.object({
  resource: z.string(),
  id: z.number().int(),
  people: z.array(present),
});

/** Seconds between heartbeats of an open page; after two and a half intervals without one it counts as closed. */
export const presenceSeconds = 8;

/** Ours: a heartbeat every few seconds while a record is shown, and one with `left` when it no longer is. */
export const notePresence = endpoint({
  method: 'POST',
  path: '/api/presence',
  summary: 'Tell that a record is being looked at or edited; answers who else is there.',
  acts: 'see',
  reads: true,
  scopeRule: 'A key needs to be able to read the record.',
  body: z.object({
    resource: z.enum(authoredResources),
    id: z.number().int().positive(),
    editing: z.boolean().optional(),
    left: z.boolean().optional(),
  }),
  refusals: [404],
  reply: z.object({ data: presence }),
});
