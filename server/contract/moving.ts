import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { identifier } from './envelope.ts';

/** What can be moved from one account to another. */
export const movedResources = [
  'links',
  'campaigns',
  'channels',
  'pixels',
  'qr',
  'bio',
  'overlays',
  'splash',
  'files',
] as const;
export type MovedResource = (typeof movedResources)[number];

/** What becomes of what a record refers to: it moves as well, is copied, or the reference is taken off. */
export const relatedChoices = ['move', 'copy', 'leave'] as const;
export type RelatedChoice = (typeof relatedChoices)[number];

/** Why a record stayed where it is. */
export const moveSkips = ['not_found', 'role_too_low', 'plan_limit', 'domain'] as const;
export type MoveSkip = (typeof moveSkips)[number];

const records = {
  from: identifier,
  to: identifier,
  resource: z.enum(movedResources),
  ids: z.array(identifier).min(1, 'Choose what to move.').max(1000, 'Move at most 1,000 at once.'),
};

/** Sessions only: a key touches no account but its own. */
export const move = endpoint({
  method: 'POST',
  path: '/api/move',
  summary: "Move records between the caller's accounts; ids stay, and it can be undone in either account.",
  acts: 'member',
  scope: 'links',
  body: z.object({ ...records, related: z.enum(relatedChoices) }),
  reply: z.object({
    /** How many of the records named have moved. */
    moved: z.number().int(),
    skipped: z.array(z.object({ id: z.number().int(), code: z.enum(moveSkips) })),
    /** The change to undo; null where nothing has moved. */
    undo: z.number().int().nullable(),
  }),
});

/** What a move would ask about, for the dialog before it. */
export const previewMove = endpoint({
  method: 'POST',
  path: '/api/move/preview',
  summary: 'List what the records refer to, and what would move with them; nothing is moved.',
  acts: 'member',
  scope: 'links',
  reads: true,
  body: z.object(records),
  reply: z.object({
    data: z.object({
      /** What the records refer to; at most 100 of each kind. */
      related: z.array(
        z.object({
          resource: z.enum(movedResources),
          id: z.number().int(),
          name: z.string(),
          /** Whether the other account has one of this name, which is then used. */
          taken: z.boolean(),
        }),
      ),
      /** QR codes of links, which go along with them in any case. */
      qr: z.number().int(),
    }),
  }),
});
