import { z } from 'zod';
import { timestamp } from './envelope.ts';

/** Why a destination is considered broken: it returns 404, 410 or 5xx, or there is no response. */
export const brokenReasons = ['not_found', 'gone', 'server_error', 'dns', 'tls', 'refused'] as const;
export type BrokenReason = (typeof brokenReasons)[number];

/** Ours: the result of the last checks of a link's destinations. */
export const linkHealth = z.object({
  state: z.enum(['ok', 'broken']),
  /** Null while `ok`, like `address` and `since`. */
  reason: z.enum(brokenReasons).nullable(),
  /** The broken destination: the link's own, or one of its rules or variants. */
  address: z.string().nullable(),
  /** Time of the first failure. */
  since: timestamp.nullable(),
  checked: timestamp,
});
export type LinkHealth = z.output<typeof linkHealth>;

/** List filter. */
export const healthFilter = { health: z.enum(['broken']).optional() };
