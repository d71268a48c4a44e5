import type { Connection } from '../../platform/database/connect.ts';
import { bestOf, type SumsQuestion, type ValueSums } from './value-sums.ts';

/** What links are grouped by. */
export type LinkGroup = 'campaigns' | 'channels' | 'domains';

/** Asks for the most visited groups of an account's links, or of those that a member created, between two hours. */
export interface GroupsQuestion extends SumsQuestion {
  member: number | null;
}

interface GroupSum {
  /** Of the campaign, channel or domain; 0 is the instance's own address. */
  id: number;
  clicks: number;
  uniqueClicks: number;
  bots: number;
}

export type GroupsAnswer = Record<LinkGroup, GroupSum[]>;

const own = '(@member IS NULL OR ifnull(links.created_by, links.user_id) = @member)';

/** Those of some links that are the account's and not in the trash, in the order of their ids. */
const linksSql = `
  SELECT links.id, campaign_id, ifnull(domain_id, 0) FROM json_each(@ids) AS clicked
  CROSS JOIN links ON links.id = clicked.value AND user_id = @user AND trashed_at IS NULL AND ${own}`;
const campaignsSql = 'SELECT id FROM campaigns WHERE user_id = ? AND leaving = 0';
/** In the order of an index that has all of it. */
const channelsSql = `
  SELECT link_id, channel_id FROM channels CROSS JOIN link_channels ON channel_id = channels.id
  WHERE channels.user_id = ? AND leaving = 0 AND live = 1`;

/** The number of links of a search: their ids are one text. */
const linksPerRead = 5_000;
const width = 3;

/**
 * Sums up the clicks of links by what these are in. The sums of links come from those that are kept; which links are
 * where is read each time, since it changes without a click, but only of links that were clicked.
 */
export function groupSums(connection: Connection, words: Pick<ValueSums, 'all'>) {
  const linksOf = connection
    .prepare<[{ ids: string; user: number; member: number | null }], [number, number | null, number]>(
      linksSql,
    )
    .raw();
  const campaignsOf = connection.prepare<[number], number>(campaignsSql).pluck();
  const channelsOf = connection.prepare<[number], [link: number, channel: number]>(channelsSql).raw();

  return (question: GroupsQuestion): GroupsAnswer => {
    const { userId: user, member, withBots, most } = question;
    const { words: ids, metrics } = words.all(question);
    const campaigns = new Set(campaignsOf.iterate(user));
    const sums = { campaigns: newSums(), channels: newSums(), domains: newSums() };
    const isListed = new Uint8Array(ids.length);
    let place = 0;
    for (let start = 0; start < ids.length; start += linksPerRead) {
      const some = `[${ids.subarray(start, start + linksPerRead).join()}]`;
      for (const [link, campaign, domain] of linksOf.iterate({ ids: some, user, member })) {
        while (ids[place] !== link) place += 1;
        isListed[place] = 1;
        if (campaign !== null && campaigns.has(campaign)) add(sums.campaigns, campaign, metrics, place);
        add(sums.domains, domain, metrics, place);
      }
    }
    for (const [link, channel] of channelsOf.iterate(user)) {
      const listed = placeOf(ids, link);
      if (isListed[listed] === 1) add(sums.channels, channel, metrics, listed);
    }
    const bestOfGroup = (group: LinkGroup): GroupSum[] => {
      const best = bestOf(most, withBots);
      for (const [id, [clicks, uniqueClicks, bots]] of sums[group])
        best.offer(id, clicks, uniqueClicks, bots);
      return best.rows().map(({ word, ...found }) => ({ id: word, ...found }));
    };
    return {
      campaigns: bestOfGroup('campaigns'),
      channels: bestOfGroup('channels'),
      domains: bestOfGroup('domains'),
    };
  };
}

type GroupMetrics = Map<number, [clicks: number, uniqueClicks: number, bots: number]>;

const newSums = (): GroupMetrics => new Map();

/** Adds the metrics at a place to a group's. */
function add(sums: GroupMetrics, group: number, metrics: Uint32Array, place: number): void {
  let sum = sums.get(group);
  if (!sum) {
    sum = [0, 0, 0];
    sums.set(group, sum);
  }
  for (let index = 0; index < width; index += 1) {
    sum[index] = (sum[index] ?? 0) + (metrics[place * width + index] ?? 0);
  }
}

/** The place of an id among ids in order; past the end if it is not among them. */
function placeOf(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : ids.length;
}
