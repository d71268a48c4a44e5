import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { authoredResources } from './roles.ts';

/** Somebody who looks at a record, or has it open in a form. */
const present = z.object({ id: z.number().int(), name: z.string(), editing: z.boolean() });
export type Present = z.output<typeof present>;

/** The record that is looked at, and who is there. */
export const presence = z.object({
  resource: z.string(),
  id: z.number().int(),
  people: z.array(present),
});

/** Seconds between two words of a page that is still open; whoever is silent for two and a half of them is gone. */
export const presenceSeconds = 8;

/** Ours: said again every few seconds while a record is shown, and once with `left` when it is not any more. */
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
