import type { Value } from '../../platform/database/reader.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { entriesSql } from '../../platform/text/stored-json.ts';
import { channelsBelow } from '../../visits/stats/channels-below.ts';

/** What a list of links is restricted to; without `status`, links in the trash are left out. */
export interface LinkFilter {
  q?: string | undefined;
  campaign?: number | undefined;
  channel?: number | undefined;
  /** `1` for links in channels below that one too. */
  below?: '0' | '1' | undefined;
  pixel?: number | undefined;
  /** 0 is the instance's own address. */
  domain?: number | undefined;
  type?: string | undefined;
  status?: string | undefined;
  /** The person who created them. */
  member?: number | undefined;
  health?: 'broken' | undefined;
}

const isExpired = 'ifnull(links.expires_at, 9e15) <= @now';
const isScheduled = 'ifnull(links.not_before_at, 0) > @now';
const isExhausted = 'links.click_limit IS NOT NULL AND links.limited_clicks >= links.click_limit';
const isActive = `links.archived = 0 AND NOT (${isExpired}) AND NOT (${isScheduled}) AND NOT (${isExhausted})`;
/** In the words of the index `links_special`, which has no others. */
const isSpecial = `(links.archived = 1 OR links.expires_at IS NOT NULL OR links.not_before_at IS NOT NULL
  OR links.click_limit IS NOT NULL)`;

const statuses: Record<string, string> = {
  public: "links.status = 'public'",
  private: "links.status = 'private'",
  active: isActive,
  scheduled: `links.archived = 0 AND ${isScheduled} AND ${isSpecial}`,
  expired: `links.archived = 0 AND ${isExpired} AND ${isSpecial}`,
  exhausted: `links.archived = 0 AND ${isExhausted} AND ${isSpecial}`,
  archived: `links.archived = 1 AND ${isSpecial}`,
  locked: 'links.locked = 1',
};
/** States that change as time goes by, or with clicks. */
const unsteady = new Set(['active', 'scheduled', 'expired', 'exhausted']);

const liveSql = '(SELECT live FROM link_counts WHERE user_id = @user)';
const trashedSql = '(SELECT trashed FROM link_counts WHERE user_id = @user)';

/** Trigrams find texts of three characters or more; shorter ones need a full scan. */
function hasTrigram(q: string): boolean {
  return [...caseFold(q)].length >= 3;
}

/** The result of a filter, found by its own index. */
interface Found {
  source: string;
  where: string;
}

/** The number of matching links that triggers keep, as an expression; undefined where they have to be counted. */
export function totalSql(filter: LinkFilter): string | undefined {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined);
  const [name, value] = set[0] ?? [];
  if (set.length > 1) return undefined;
  if (name === undefined) return liveSql;
  if (name === 'status' && value === 'trash') return trashedSql;
  // The owner of the campaign or channel was not checked: others' have no links of this account.
  if (name === 'campaign')
    return `(SELECT links FROM campaign_counts JOIN campaigns ON campaigns.id = campaign_id
      WHERE campaign_id = @campaign AND user_id = @user)`;
  if (name === 'channel')
    return `(SELECT links FROM channel_counts JOIN channels ON channels.id = channel_id
      WHERE channel_id = @channel AND user_id = @user)`;
  return undefined;
}

/** Whether the number of matching links changes only with the account's links: not with time, clicks, or other records. */
export function isSteady({ status, health, below }: LinkFilter): boolean {
  // A link is not edited when its destination breaks, or a channel is renamed.
  return !unsteady.has(status ?? '') && health === undefined && below === undefined;
}

/** A statement that counts the matching links: `total`. */
export function countSql(filter: LinkFilter): string {
  const others = Object.entries(filter).filter(([name, value]) => name !== 'status' && value !== undefined);
  // Most links are active, public and not locked: the few others are counted.
  if (others.length === 0 && filter.status === 'active') {
    return `SELECT ifnull(${liveSql}, 0) - (SELECT count(*) FROM links INDEXED BY links_special
      WHERE links.user_id = @user AND (links.trashed_at IS NULL) = 1 AND ${isSpecial} AND NOT (${isActive})) AS total`;
  }
  if (others.length === 0 && filter.status === 'public') {
    return `SELECT ifnull(${liveSql}, 0) - (SELECT count(*) FROM links INDEXED BY links_private
      WHERE links.user_id = @user AND (links.trashed_at IS NULL) = 1 AND links.status = 'private') AS total`;
  }
  const { source, where } = foundBy(filter);
  return `SELECT count(*) AS total FROM ${source} WHERE ${where}`;
}

/** Conditions that need no more than a link's own row and what hangs on it. */
export function conditionsOf(filter: LinkFilter): string[] {
  const { status, campaign, channel, below, pixel, domain, type, q, member, health } = filter;
  const parts = ['links.user_id = @user', `(links.trashed_at IS NULL) = ${status === 'trash' ? 0 : 1}`];
  if (status !== undefined && status !== 'trash') parts.push(statuses[status] ?? '0');
  if (campaign !== undefined) parts.push('links.campaign_id = @campaign');
  if (member !== undefined) parts.push('ifnull(links.created_by, links.user_id) = @member');
  // The index of types does not contain direct links.
  if (type === 'direct') parts.push("links.type = 'direct'");
  else if (type !== undefined) parts.push("links.type <> 'direct' AND links.type = @type");
  if (domain !== undefined)
    parts.push(domain === 0 ? 'links.domain_id IS NULL' : 'links.domain_id = @domain');
  if (channel !== undefined && below === '1')
    parts.push(
      `EXISTS (SELECT 1 FROM link_channels WHERE link_id = links.id AND channel_id IN (${channelsBelow}))`,
    );
  else if (channel !== undefined)
    parts.push('EXISTS (SELECT 1 FROM link_channels WHERE channel_id = @channel AND link_id = links.id)');
  if (pixel !== undefined)
    parts.push(
      `links.pixels <> '[]' AND EXISTS (SELECT 1 FROM ${entriesSql('links.pixels')} WHERE value = @pixel)`,
    );
  if (health !== undefined) {
    parts.push('EXISTS (SELECT 1 FROM link_health WHERE link_id = links.id AND broken_at IS NOT NULL)');
  }
  if (q !== undefined) parts.push('instr(links.search, @q) > 0');
  return parts;
}

/** Where the matching links are found soonest, whatever the order. */
export function foundBy(filter: LinkFilter): Found {
  const { q, channel, ...others } = filter;
  if (q !== undefined && hasTrigram(q)) {
    const where = ['links_search MATCH @match', ...conditionsOf({ ...others, channel })];
    return {
      source: 'links_search CROSS JOIN links ON links.id = links_search.rowid',
      where: where.join(' AND '),
    };
  }
  if (channel !== undefined && filter.below === '1') {
    const members = `SELECT DISTINCT link_id FROM link_channels WHERE channel_id IN (${channelsBelow})`;
    return {
      source: `(${members}) AS members CROSS JOIN links ON links.id = members.link_id`,
      where: conditionsOf({ ...others, q }).join(' AND '),
    };
  }
  if (channel !== undefined) {
    const where = ['members.channel_id = @channel', ...conditionsOf({ ...others, q })];
    return {
      source: 'link_channels AS members CROSS JOIN links ON links.id = members.link_id',
      where: where.join(' AND '),
    };
  }
  const where = conditionsOf(filter).join(' AND ');
  if (filter.health !== undefined) {
    // The few that are broken, by their own index.
    const source = 'link_health AS broken CROSS JOIN links ON links.id = broken.link_id';
    return { source, where: `broken.broken_at IS NOT NULL AND ${where}` };
  }
  return { source: 'links', where };
}

/** What the conditions of a filter bind. `now` is in UTC milliseconds. */
export function filterValues(
  userId: number,
  filter: LinkFilter,
  now: number,
): Record<string, Value | undefined> {
  const q = filter.q === undefined ? undefined : caseFold(filter.q);
  return {
    user: userId,
    now,
    q,
    // A phrase in quotes is literal to FTS5; its only special character is the quote itself.
    match: q === undefined ? undefined : `"${q.replaceAll('"', '""')}"`,
    campaign: filter.campaign,
    channel: filter.channel,
    pixel: filter.pixel,
    domain: filter.domain,
    type: filter.type,
    member: filter.member,
  };
}
