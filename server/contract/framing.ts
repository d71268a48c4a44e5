import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { domainReference, timestamp } from './envelope.ts';

/**
 * Ours: whether a destination lets itself be shown in a frame. `unknown` while it could not be asked; it is then shown
 * in a frame and asked again. Where it is forbidden, visitors are sent straight on.
 */
export const framing = z.object({
  verdict: z.enum(['allowed', 'forbidden', 'unknown']),
  /** What forbids it: a header of the destination, or that it is http inside of https. */
  reason: z.enum(['x-frame-options', 'frame-ancestors', 'insecure']).nullable(),
  /** The destination that this is about: of several, one that forbids it. */
  address: z.string(),
});
export type Framing = z.output<typeof framing>;

/** The same of a stored link; null when it was not asked yet. */
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
    /** The domain that the link is, or will be, on; the instance's own without it. */
    domain: domainReference.nullable().optional(),
  }),
  reply: z.object({ data: framing }),
});
