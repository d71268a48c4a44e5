import { z } from 'zod';
import { timestamp } from './envelope.ts';

/** Why a destination counts as broken: it answers 404, 410 or 5xx, or there is no answer to be had. */
export const brokenReasons = ['not_found', 'gone', 'server_error', 'dns', 'tls', 'refused'] as const;
export type BrokenReason = (typeof brokenReasons)[number];

/** What the last checks of a link's destinations found. Ours. */
export const linkHealth = z.object({
  state: z.enum(['ok', 'broken']),
  /** Null while it is `ok`, like `address` and `since`. */
  reason: z.enum(brokenReasons).nullable(),
  /** The destination that is at fault: the link's own, or one of its rules or variants. */
  address: z.string().nullable(),
  /** When it first failed. */
  since: timestamp.nullable(),
  checked: timestamp,
});
export type LinkHealth = z.output<typeof linkHealth>;

/** The filter of lists. */
export const healthFilter = { health: z.enum(['broken']).optional() };
