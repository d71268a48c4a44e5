import { z } from 'zod';
import { editInfo, memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import {
  acknowledged,
  alwaysSent,
  domainReference,
  identifier,
  listOf,
  pageCounts,
  paging,
  substring,
  timestamp,
} from './envelope.ts';
import { plainLine } from './sessions.ts';
import { stats, statsFilters, statsQuery } from './stats.ts';
import { edited, versioned } from './versions.ts';

/** Contract, "Limits": a campaign's name has at least 2 characters. */
export const campaignName = plainLine(120).pipe(
  z.string().min(2, 'Choose a name of at least 2 characters for the campaign.'),
);

/**
 * Contract, "Campaign". Fields missing from other servers' reduced list entry are optional. Without a rotator page,
 * `rotator` is false and `slug` null.
 */
const publishedCampaign = z.object({
  id: z.number().int(),
  name: z.string(),
  slug: alwaysSent(z.string().nullable()),
  public: z.boolean(),
  domain: alwaysSent(z.string().nullable()),
  rotator: z.union([z.string(), z.literal(false)]),
  list: z.string(),
  views: alwaysSent(z.number().int()),
  urlcount: alwaysSent(z.number().int()),
  date: alwaysSent(timestamp),
});

export const campaign = z.object({
  ...publishedCampaign.shape,
  /** Ours: total clicks of its links; only with `figures=1`. */
  clicks: z.number().int().optional(),
  ...editInfo,
});
export type Campaign = z.output<typeof campaign>;

/** Contract, "Campaign link". */
export const campaignLink = z.object({
  id: z.number().int(),
  title: z.string().nullable(),
  longurl: z.string(),
  shorturl: z.string(),
  clicks: z.number().int(),
  uniqueclicks: z.number().int(),
  date: timestamp,
  /** Ours: the link's weight in the rotator; 0 excludes it. */
  weight: alwaysSent(z.number().int()),
});
export type CampaignLink = z.output<typeof campaignLink>;

const campaignFields = {
  slug: z.string().max(400).nullable(),
  public: z.boolean(),
  domain: domainReference.nullable(),
};

export const newCampaign = z.object({ name: campaignName, ...z.object(campaignFields).partial().shape });
export type NewCampaign = z.output<typeof newCampaign>;
/** An empty slug removes the rotator, an empty domain the domain (decision 0015). */
export const campaignChange = z.object({ name: campaignName, ...campaignFields }).partial();
export type CampaignChange = z.output<typeof campaignChange>;

/**
 * Create and update return both published shapes at once: `data`, and the flat fields with the name as both `campaign`
 * and `name` (decision 0015). Other servers send one of the two.
 */
export const campaignReply = z.object({
  id: z.number().int(),
  campaign: alwaysSent(z.string()),
  name: alwaysSent(z.string()),
  public: alwaysSent(z.boolean()),
  rotator: alwaysSent(z.union([z.string(), z.literal(false)])),
  list: alwaysSent(z.string()),
  data: alwaysSent(publishedCampaign.omit({ date: true })),
});
export type CampaignReply = z.output<typeof campaignReply>;

export const listCampaigns = endpoint({
  method: 'GET',
  path: '/api/campaigns',
  summary: 'List campaigns in alphabetical order.',
  scope: 'campaigns',
  query: z.object({
    ...memberFilter,
    ...paging,
    q: substring.optional(),
    /** Ours: 1 adds the total clicks of each campaign's links. */
    figures: z.enum(['0', '1']).optional(),
  }),
  reply: listOf('campaigns', campaign),
});

export const getCampaign = endpoint({
  method: 'GET',
  path: '/api/campaign/:id',
  summary: 'Get a campaign and its links, most recently clicked first.',
  scope: 'campaigns',
  alsoReads: ['links'],
  query: z.object({
    ...paging,
    /** Ours: `own` is the manual order, used by the list page and the rotator. */
    order: z.enum(['clicked', 'own']).default('clicked'),
    figures: z.enum(['0', '1']).optional(),
  }),
  reply: z.object({ data: z.object({ campaign, ...pageCounts, links: z.array(campaignLink) }) }),
});

export const addCampaign = endpoint({
  method: 'POST',
  path: '/api/campaign/add',
  summary: 'Create a campaign; the slug defaults to a random one.',
  scope: 'campaigns',
  status: 201,
  body: newCampaign,
  reply: campaignReply,
});

export const updateCampaign = endpoint({
  method: 'PUT',
  path: '/api/campaign/:id/update',
  summary: 'Update a campaign; omitted fields are unchanged.',
  scope: 'campaigns',
  alsoReads: ['links'],
  body: campaignChange,
  reply: campaignReply.extend(versioned),
});

export const deleteCampaign = endpoint({
  method: 'DELETE',
  path: '/api/campaign/:id/delete',
  summary: 'Delete a campaign; its links are kept.',
  scope: 'campaigns',
  reply: acknowledged,
});

export const assignCampaign = endpoint({
  method: 'POST',
  path: '/api/campaign/:campaignid/assign/:linkid',
  summary: 'Assign a link to a campaign; a link is in at most one.',
  scope: 'campaigns',
  alsoReads: ['links'],
  body: z.object({
    /** Ours: the link's weight in the rotator; default 1. */
    weight: z
      .number()
      .int()
      .min(0, 'Choose a weight from 0 to 100.')
      .max(100, 'Choose a weight from 0 to 100.')
      .optional(),
  }),
  bodyOptional: true,
  reply: acknowledged,
});

/** Ours. */
export const unassignCampaign = endpoint({
  method: 'POST',
  path: '/api/campaign/:campaignid/unassign/:linkid',
  summary: 'Remove a link from a campaign.',
  scope: 'campaigns',
  bodyOptional: true,
  reply: acknowledged,
});

/** Ours. Links not listed follow in their current order. */
export const orderCampaign = endpoint({
  method: 'PUT',
  path: '/api/campaign/:id/order',
  summary: "Set the order of a campaign's links on its list page and in its rotator.",
  scope: 'campaigns',
  body: z.object({ links: z.array(identifier).min(1).max(10_000) }),
  reply: edited,
});

/** Ours: available for 30 days; restores the id, the URLs, and those links that are not in another campaign by now. */
export const restoreCampaign = endpoint({
  method: 'POST',
  path: '/api/campaign/:id/restore',
  summary: 'Restore a deleted campaign.',
  scope: 'campaigns',
  bodyOptional: true,
  reply: campaignReply,
});

/** Ours: totals over the links currently in the campaign. */
export const getCampaignStats = endpoint({
  method: 'GET',
  path: '/api/campaign/:id/stats',
  summary: "Get the clicks of a campaign's links.",
  scope: 'stats',
  query: statsQuery.extend(statsFilters),
  reply: z.object({ data: stats }),
});
