import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** The public statistics page of a link or campaign (decision 0089). */
export const statsPage = z.object({
  on: z.boolean(),
  /** Its URL, which is kept while disabled; null until it is first enabled. */
  url: z.string().nullable(),
  /** Whether it has a password; the password itself is never returned. */
  password: z.boolean(),
  /** Whether it shows referrers. */
  referrers: z.boolean(),
});
export type StatsPage = z.output<typeof statsPage>;

const statsPageChange = z
  .object({
    on: z.boolean(),
    /** An empty or null password removes it. */
    password: z.string().max(1024).nullable(),
    referrers: z.boolean(),
    /** Generates a new URL; the old one stops working. */
    newaddress: z.boolean(),
  })
  .partial();
export type StatsPageChange = z.output<typeof statsPageChange>;

const changed = z.object({ message: z.string(), data: statsPage });

export const getLinkStatsPage = endpoint({
  method: 'GET',
  path: '/api/url/:id/statspage',
  summary: 'Get whether the statistics of a link have a public page.',
  scope: 'stats',
  reply: z.object({ data: statsPage }),
});

export const updateLinkStatsPage = endpoint({
  method: 'PUT',
  path: '/api/url/:id/statspage',
  summary: 'Turn the public statistics page of a link on or off; omitted fields are unchanged.',
  scope: 'stats',
  body: statsPageChange,
  reply: changed,
});

export const getCampaignStatsPage = endpoint({
  method: 'GET',
  path: '/api/campaign/:id/statspage',
  summary: 'Get whether the statistics of a campaign have a public page.',
  scope: 'stats',
  reply: z.object({ data: statsPage }),
});

export const updateCampaignStatsPage = endpoint({
  method: 'PUT',
  path: '/api/campaign/:id/statspage',
  summary: 'Turn the public statistics page of a campaign on or off; omitted fields are unchanged.',
  scope: 'stats',
  body: statsPageChange,
  reply: changed,
});
