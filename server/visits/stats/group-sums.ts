import type { Connection } from '../../platform/database/connect.ts';
import { bestOf, type SumsQuestion, type ValueSums } from './value-sums.ts';

/** What links are grouped by. */
const linkGroups = ['campaigns', 'channels', 'domains'] as const;
export type LinkGroup = (typeof linkGroups)[number];

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

/** SQL of which links of an account are in which group. */
const membersSql: Readonly<Record<LinkGroup, string>> = {
  campaigns: `SELECT links.id, campaign_id FROM campaigns CROSS JOIN links ON campaign_id = campaigns.id
    WHERE campaigns.user_id = @user AND leaving = 0 AND (trashed_at IS NULL) = 1 AND ${own}`,
  channels: `SELECT link_id, channel_id FROM channels CROSS JOIN link_channels ON channel_id = channels.id
    CROSS JOIN links ON links.id = link_id
    WHERE channels.user_id = @user AND leaving = 0 AND live = 1 AND ${own}`,
  domains: `SELECT id, ifnull(domain_id, 0) FROM links WHERE user_id = @user AND (trashed_at IS NULL) = 1 AND ${own}`,
};

/**
 * Sums up the clicks of links by what these are in. The sums of links come from those that are kept; which links are
 * where is read each time, since it changes without a click.
 */
export function groupSums(connection: Connection, words: Pick<ValueSums, 'each'>) {
  const members = Object.fromEntries(
    linkGroups.map((group) => [
      group,
      connection
        .prepare<[{ user: number; member: number | null }], [number, number]>(membersSql[group])
        .raw(),
    ]),
  );

  return (question: GroupsQuestion): GroupsAnswer => {
    const { userId: user, member, withBots, most } = question;
    const clicked = new Map<number, Omit<GroupSum, 'id'>>();
    words.each(question, (link, clicks, uniqueClicks, bots) => {
      clicked.set(link, { clicks, uniqueClicks, bots });
    });

    function bestGroups(group: LinkGroup): GroupSum[] {
      const sums = new Map<number, Omit<GroupSum, 'id'>>();
      for (const [link, id] of members[group]?.iterate({ user, member }) ?? []) {
        const metrics = clicked.get(link);
        if (!metrics) continue;
        const sum = sums.get(id) ?? { clicks: 0, uniqueClicks: 0, bots: 0 };
        sum.clicks += metrics.clicks;
        sum.uniqueClicks += metrics.uniqueClicks;
        sum.bots += metrics.bots;
        sums.set(id, sum);
      }
      const best = bestOf(most, withBots);
      for (const [id, { clicks, uniqueClicks, bots }] of sums) best.offer(id, clicks, uniqueClicks, bots);
      return best.rows().map(({ word, ...metrics }) => ({ id: word, ...metrics }));
    }

    return {
      campaigns: bestGroups('campaigns'),
      channels: bestGroups('channels'),
      domains: bestGroups('domains'),
    };
  };
}
