import type { Campaign, CampaignLink, CampaignReply } from '../../contract/campaigns.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { CampaignLinkRow, CampaignRow } from './queries.ts';

export interface PresentContext {
  timezone: string;
  baseUrl: string;
  /** The owner's, for the address of the list page; a team's has its id, so that it stays when the team is renamed. */
  username: string;
}

/** Contract, "Campaign". Addresses are built from stored rows, never from a request's Host. */
export function presentCampaign(row: CampaignRow, context: PresentContext): Campaign {
  const { baseUrl, username, timezone } = context;
  const domain = row.host === null ? null : `https://${row.host}`;
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    public: row.public === 1,
    domain,
    rotator: row.slug !== null && `${domain ?? baseUrl}/r/${encodeURIComponent(row.slug)}`,
    list: `${baseUrl}/u/${encodeURIComponent(username)}/list-${row.id}`,
    views: row.views,
    urlcount: row.urlcount,
    date: presentTimestamp(row.created_at, timezone),
  };
}

/** The reply of create and update: both published shapes in one (decision 0015). */
export function presentReply(row: CampaignRow, context: PresentContext): CampaignReply {
  const { date: _date, ...data } = presentCampaign(row, context);
  return {
    id: row.id,
    campaign: data.name,
    name: data.name,
    public: data.public,
    rotator: data.rotator,
    list: data.list,
    data,
  };
}

/** Contract, "Campaign link". */
export function presentCampaignLink(row: CampaignLinkRow, context: PresentContext): CampaignLink {
  return {
    id: row.id,
    title: row.title,
    longurl: row.url,
    shorturl: shortUrl(row, context.baseUrl),
    clicks: row.clicks,
    uniqueclicks: row.unique_clicks,
    date: presentTimestamp(row.created_at, context.timezone),
    weight: row.campaign_weight,
  };
}
