import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { domainReference, timestamp } from './envelope.ts';

/**
 * Ours: whether a destination allows framing. `unknown` if it could not be checked; it is then framed and checked
 * again. If framing is forbidden, visitors are redirected instead.
 */
export const framing = z.object({
  verdict: z.enum(['allowed', 'forbidden', 'unknown']),
  /** What forbids it: a response header of the destination, or that it is http inside https. */
  reason: z.enum(['x-frame-options', 'frame-ancestors', 'insecure']).nullable(),
  /** The destination this refers to: of several, one that forbids framing. */
  address: z.string(),
});
export type Framing = z.output<typeof framing>;

/** The same for a stored link; null if not yet checked. */
export const linkFraming = z.object({ ...framing.shape, date: timestamp.nullable() });
export type LinkFraming = z.output<typeof linkFraming>;

export const checkFraming = endpoint({
  method: 'POST',
  path: '/api/url/framing',
  summary: 'Check whether a destination can be shown in a frame, as frames and overlays require.',
  scope: 'links',
  reads: true,
  body: z.object({
    url: z.string().min(1, 'Enter the URL to check.').max(8192),
    /** The link's current or future domain; defaults to the instance's own. */
    domain: domainReference.nullable().optional(),
  }),
  reply: z.object({ data: framing }),
});
