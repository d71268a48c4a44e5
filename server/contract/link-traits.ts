import { z } from 'zod';
import { timestamp } from './envelope.ts';

/** What is set on a link beside its destination, in short: enough to mark it in a list. Ours. */
export const linkTraits = z.object({
  /** Whether visitors are asked for a password. */
  protected: z.boolean(),
  /** How many rules send visitors elsewhere, targets by country, device and language among them. */
  rules: z.number().int(),
  /** How many variants an A/B test has beside the destination. */
  variants: z.number().int(),
  /** `direct`, `frame`, `splash`, a custom splash page's id, or `overlay-<id>`. */
  type: z.string(),
  notbefore: timestamp.nullable(),
  clicklimit: z.number().int().nullable(),
});
export type LinkTraits = z.output<typeof linkTraits>;

/** Query of the list: its links carry `traits` where it is `1`. */
export const traitsWanted = { traits: z.enum(['0', '1']).default('0') };
