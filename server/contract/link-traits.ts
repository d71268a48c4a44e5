import { z } from 'zod';
import { timestamp } from './envelope.ts';

/** Ours: a summary of a link's settings, for badges in a list. */
export const linkTraits = z.object({
  /** Whether the link has a password. */
  protected: z.boolean(),
  /** Number of targeting rules, including targets by country, device and language. */
  rules: z.number().int(),
  /** Number of A/B test variants in addition to the destination. */
  variants: z.number().int(),
  /** `direct`, `frame`, `splash`, a custom splash page's id, or `overlay-<id>`. */
  type: z.string(),
  notbefore: timestamp.nullable(),
  clicklimit: z.number().int().nullable(),
});
export type LinkTraits = z.output<typeof linkTraits>;

/** List query: `1` includes `traits` with the links. */
export const traitsWanted = { traits: z.enum(['0', '1']).default('0') };
