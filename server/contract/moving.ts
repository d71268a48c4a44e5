import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { identifier } from './envelope.ts';

/** Records that can be moved between accounts. */
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

/** How to handle related records: move them, copy them, or remove the reference. */
export const relatedChoices = ['move', 'copy', 'leave'] as const;
export type RelatedChoice = (typeof relatedChoices)[number];

/** Why a record was not moved. */
export const moveSkips = ['not_found', 'role_too_low', 'plan_limit', 'domain'] as const;
export type MoveSkip = (typeof moveSkips)[number];

const records = {
  from: identifier,
  to: identifier,
  resource: z.enum(movedResources),
  ids: z.array(identifier).min(1, 'Choose what to move.').max(1000, 'Move at most 1,000 at once.'),
};

/** Sessions only: a key only has access to its own account. */
export const move = endpoint({
  method: 'POST',
  path: '/api/move',
  summary: "Move records between the caller's accounts; ids stay, and it can be undone in either account.",
  acts: 'member',
  scope: 'links',
  body: z.object({ ...records, related: z.enum(relatedChoices) }),
  reply: z.object({
    /** Number of the requested records that were moved. */
    moved: z.number().int(),
    skipped: z.array(z.object({ id: z.number().int(), code: z.enum(moveSkips) })),
    /** The id to undo the move; null if nothing was moved. */
    undo: z.number().int().nullable(),
  }),
});

/** What a move would affect, for the confirmation dialog. */
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
      /** Related records; at most 100 of each kind. */
      related: z.array(
        z.object({
          resource: z.enum(movedResources),
          id: z.number().int(),
          name: z.string(),
          /** Whether the target account has a record of this name, which is then used instead. */
          taken: z.boolean(),
        }),
      ),
      /** Number of the links' QR codes, which always move with them. */
      qr: z.number().int(),
    }),
  }),
});
