import type { LoggedDimension } from '../../contract/dimensions.ts';
import type { Read } from '../../platform/database/reader.ts';
import { dayMs, dimensions, hourMs, scopes } from '../clicks/dimensions.ts';
import { channelsBelow } from './channels-below.ts';
import type { Hours } from './click-columns.ts';
import { dictionaryTexts } from './dictionary-texts.ts';
import type { LinkGroup } from './group-sums.ts';
import type { Metrics } from './metrics.ts';
import type { Span } from './periods.ts';
import type { StatsReader } from './stats-reader.ts';
import type { SumsQuestion } from './value-sums.ts';

/** Whose clicks: all of a user's links, or one link. */
type Subject = { userId: number } | { linkId: number };
/**
 * The same, or the sum over some links, whose ids are JSON: there may be a hundred thousand, and only SQL reads them.
 */
export type Subjects = Subject | { linkIds: string };

export interface ValueMetrics extends Metrics {
  /** The word, or for the dimension `source` its number. */
  value: string | number;
}

export interface TopLinkRow extends Metrics {
  id: number;
  alias: string;
  host: string | null;
  title: string | null;
  url: string;
}

/** A campaign, channel or domain with the clicks of the links that are in it. */
export interface TopGroupRow extends Metrics {
  /** 0 is the instance's own address. */
  id: number;
  /** Of a domain its host. */
  name: string;
  color: string | null;
}

export interface LinkCounts {
  links: number;
  activeLinks: number;
}

/** Which links of an account; null and undefined are all. `domain` 0 is the instance's own address. */
export interface LinkChoice {
  member: number | null;
  campaign?: number | undefined;
  channel?: number | undefined;
  /** Whether links in channels below that one are among them. */
  below?: boolean | undefined;
  domain?: number | undefined;
}

const firstHourSql = `
  SELECT min(hour) AS hour FROM rollups
  WHERE scope = ? AND scope_id IN (SELECT value FROM json_each(?)) AND dimension = 0 AND hour >= ? AND hour < ?`;

/**
 * One row an interval that has clicks; `?` takes the intervals as JSON, [[first hour, hour after the last], …].
 * CROSS JOIN keeps the intervals outside, so that each of them is one search in the rollups.
 */
const seriesSql = `
  SELECT spans.key AS position, sum(clicks) AS clicks, sum(unique_clicks) AS uniqueClicks, sum(bots) AS bots
  FROM json_each(?) AS spans
  CROSS JOIN rollups ON scope = ? AND scope_id IN (SELECT value FROM json_each(?)) AND dimension = 0
              AND hour >= json_extract(spans.value, '$[0]') AND hour < json_extract(spans.value, '$[1]')
  GROUP BY spans.key`;

const totalSql = `
  SELECT coalesce(sum(clicks), 0) AS clicks, coalesce(sum(unique_clicks), 0) AS uniqueClicks,
         coalesce(sum(bots), 0) AS bots
  FROM rollups
  WHERE scope = ? AND scope_id IN (SELECT value FROM json_each(?)) AND dimension = 0 AND hour >= ? AND hour < ?`;

/** The most frequent words of a dimension; every row has the sums over all words beside its own. */
const dictionarySql = `
  WITH counted AS (
    SELECT word, sum(clicks) AS clicks, sum(unique_clicks) AS uniqueClicks, sum(bots) AS bots
    FROM rollups
    WHERE scope = ? AND scope_id IN (SELECT value FROM json_each(?)) AND dimension = ? AND hour >= ? AND hour < ?
    GROUP BY word
  )
  SELECT coalesce(words.word, '') AS value, counted.word AS id, clicks, uniqueClicks, bots,
         sum(clicks) OVER () AS allClicks, sum(uniqueClicks) OVER () AS allUniqueClicks, sum(bots) OVER () AS allBots
  FROM counted LEFT JOIN words ON words.id = counted.word
  ORDER BY clicks + ? * bots DESC, counted.word
  LIMIT ?`;

const campaignLinksSql =
  'SELECT json_group_array(id) AS ids FROM links WHERE campaign_id = ? AND (trashed_at IS NULL) = 1';

/** Some links of an account. Where no one is named as the one who created a link, that is the person of the account. */
const chosen = `user_id = @user AND trashed_at IS NULL
  AND (@member IS NULL OR ifnull(created_by, user_id) = @member)
  AND (@campaign IS NULL OR campaign_id = @campaign)
  AND (@channel IS NULL OR id IN (SELECT link_id FROM link_channels
    WHERE channel_id = @channel OR (@below = 1 AND channel_id IN (${channelsBelow}))))
  AND (@domain IS NULL OR ifnull(domain_id, 0) = @domain)`;
const chosenLinksSql = `SELECT json_group_array(id) AS ids FROM links WHERE ${chosen}`;

const topOfLinksSql = `
  SELECT links.id, links.alias, domains.host, links.title, links.url,
    sum(rollups.clicks) AS clicks, sum(rollups.unique_clicks) AS uniqueClicks, sum(rollups.bots) AS bots
  FROM json_each(@ids) AS wanted
  CROSS JOIN links ON links.id = wanted.value AND links.trashed_at IS NULL
  CROSS JOIN rollups ON scope = ${scopes.link} AND scope_id = links.id AND dimension = 0 AND hour >= @from AND hour < @to
  LEFT JOIN domains ON domains.id = links.domain_id
  GROUP BY links.id HAVING sum(rollups.clicks) + @bots * sum(rollups.bots) > 0
  ORDER BY sum(rollups.clicks) + @bots * sum(rollups.bots) DESC, links.id LIMIT @most`;

const chosenCountsSql = `
  SELECT count(*) AS links, coalesce(sum(archived = 0 AND (not_before_at IS NULL OR not_before_at <= @now)
    AND (expires_at IS NULL OR expires_at > @now) AND (click_limit IS NULL OR limited_clicks < click_limit)), 0) AS activeLinks
  FROM links WHERE ${chosen}`;

/** Those of some links that are there and still the account's, in the order of the list. */
const linksSql = `
  SELECT links.id, links.alias, domains.host, links.title, links.url
  FROM json_each(?) AS wanted
  CROSS JOIN links ON links.id = wanted.value AND links.trashed_at IS NULL AND links.user_id = ?
  LEFT JOIN domains ON domains.id = links.domain_id
  LIMIT ?`;

/** What groups are called, by their ids; those of another account are not among them. */
const groupNamesSql: Readonly<Record<LinkGroup, string>> = {
  campaigns: 'SELECT id, name, NULL AS color FROM campaigns WHERE user_id = @user AND leaving = 0',
  channels: 'SELECT id, name, color FROM channels WHERE user_id = @user AND leaving = 0',
  // Platform domains belong to no account.
  domains: 'SELECT id, host AS name, NULL AS color FROM domains WHERE ifnull(user_id, @user) = @user',
};

/** Most links are active: the few that may not be have an index of their own, `links_special`. */
const linkCountsSql = `
  SELECT ifnull(live, 0) AS links, ifnull(live, 0) - (
    SELECT count(*) FROM links INDEXED BY links_special
    WHERE links.user_id = @user AND (trashed_at IS NULL) = 1
      AND (archived = 1 OR expires_at IS NOT NULL OR not_before_at IS NOT NULL OR click_limit IS NOT NULL)
      AND NOT (archived = 0 AND (not_before_at IS NULL OR not_before_at <= @now)
        AND (expires_at IS NULL OR expires_at > @now) AND (click_limit IS NULL OR limited_clicks < click_limit))
  ) AS activeLinks
  FROM (SELECT 1) LEFT JOIN link_counts ON user_id = @user`;

/** Words of a dimension that a reply carries at most (contract). */
export const mostValues = 50;
/** More than there are countries, because continents are computed from all of them. */
export const mostCountries = 300;

const mostOf = (name: LoggedDimension): number => (name === 'country' ? mostCountries : mostValues);

/** The scope of the rollups and the ids in it, as JSON. */
function scopeOf(subject: Subjects): [scope: number, ids: string] {
  if ('userId' in subject) return [scopes.user, JSON.stringify([subject.userId])];
  return [scopes.link, 'linkId' in subject ? JSON.stringify([subject.linkId]) : subject.linkIds];
}

/** An hour of the rollups counts for the local interval that it begins in. */
export function hoursOf({ from, to }: Span): Hours {
  return [Math.ceil(from / hourMs), Math.ceil(to / hourMs)];
}

/** Most visited links of a period that a reply carries, and how many of which are looked for first: some are gone. */
const mostLinks = 10;
const linksLookedFor = [50, 5_000];
/** Reads of statistics; all of them run in their own thread. */
export function statsQueries(reader: Pick<StatsReader, 'read' | 'sums' | 'groups'>, now: () => number) {
  /** The hours of a span, with the one from which on clicks are still counted. */
  function hoursWithPast(span: Span): Pick<SumsQuestion, 'from' | 'to' | 'past' | 'latest'> {
    const [from, to] = hoursOf(span);
    const today = Math.floor(now() / dayMs) * (dayMs / hourMs);
    return { from, to, past: Math.min(today, to), latest: Math.min(Math.floor(now() / hourMs), to) };
  }

  async function wordsOfUser(
    userId: number,
    span: Span,
    names: readonly LoggedDimension[],
    withBots: boolean,
  ): Promise<CountedWord[][]> {
    const hours = hoursWithPast(span);
    const answers = await reader.sums(
      names.map((name) => ({ userId, dimension: dimensions[name], ...hours, withBots, most: mostOf(name) })),
    );
    const ids = answers.flatMap(({ rows }) => rows.map(({ word }) => word));
    const textOf = await dictionaryTexts(rowsOf, ids);
    return answers.map(({ rows, all }) =>
      rows.map(({ word, ...metrics }) => ({
        ...metrics,
        id: word,
        value: textOf.get(word) ?? '',
        allClicks: all.clicks,
        allUniqueClicks: all.uniqueClicks,
        allBots: all.bots,
      })),
    );
  }

  /** The rows of each read, in order. Their shape is that of the statement. */
  async function rowsOf<Row>(read: Read): Promise<Row[]> {
    const [rows] = await reader.read([read]);
    return (rows ?? []) as Row[];
  }

  /** What is to be shown of links that have metrics, in their order. */
  async function linksWithMetrics(
    userId: number,
    counted: readonly ({ id: number } & Metrics)[],
  ): Promise<TopLinkRow[]> {
    const links = await rowsOf<Omit<TopLinkRow, keyof Metrics>>({
      sql: linksSql,
      values: [JSON.stringify(counted.map(({ id }) => id)), userId, mostLinks],
    });
    const metricsOf = new Map(counted.map((metrics) => [metrics.id, metrics]));
    return links.flatMap((link) => {
      const metrics = metricsOf.get(link.id);
      return metrics ? [{ ...link, ...metrics }] : [];
    });
  }

  return {
    linksWithMetrics,

    /** The links of a campaign that are not in the trash. */
    async linksOfCampaign(id: number): Promise<Subjects> {
      const [row] = await rowsOf<{ ids: string }>({ sql: campaignLinksSql, values: [id] });
      return { linkIds: row?.ids ?? '[]' };
    },

    /** Some links of an account, without those in the trash. */
    async linksOf(user: number, choice: LinkChoice): Promise<{ linkIds: string }> {
      const [row] = await rowsOf<{ ids: string }>({ sql: chosenLinksSql, values: [choiceOf(user, choice)] });
      return { linkIds: row?.ids ?? '[]' };
    },

    /** The first hour of a span with a counted click, in UTC milliseconds. */
    async firstAt(subject: Subjects, span: Span): Promise<number | undefined> {
      const [row] = await rowsOf<{ hour: number | null }>({
        sql: firstHourSql,
        values: [...scopeOf(subject), ...hoursOf(span)],
      });
      return typeof row?.hour === 'number' ? row.hour * hourMs : undefined;
    },

    /** Metrics of the intervals that have any, by position. */
    series: (subject: Subjects, intervals: readonly Span[]) =>
      rowsOf<Metrics & { position: number }>({
        sql: seriesSql,
        values: [JSON.stringify(intervals.map(hoursOf)), ...scopeOf(subject)],
      }),

    async total(subject: Subjects, span: Span): Promise<Metrics> {
      const [row] = await rowsOf<Metrics>({ sql: totalSql, values: [...scopeOf(subject), ...hoursOf(span)] });
      return row ?? { clicks: 0, uniqueClicks: 0, bots: 0 };
    },

    /** The most frequent words of each dimension. What clicks without a word add up to is `value: ''`. */
    async words(
      subject: Subjects,
      span: Span,
      names: readonly LoggedDimension[],
      total: Metrics,
      withBots: boolean,
    ): Promise<ValueMetrics[][]> {
      const results =
        'userId' in subject
          ? await wordsOfUser(subject.userId, span, names, withBots)
          : ((await reader.read(
              names.map((name) => ({
                sql: dictionarySql,
                values: [
                  ...scopeOf(subject),
                  dimensions[name],
                  ...hoursOf(span),
                  withBots ? 1 : 0,
                  mostOf(name),
                ],
              })),
            )) as unknown as CountedWord[][]);
      return results.map((rows, index) => valueMetrics(rows, total, names[index] === 'source'));
    },

    /** The most visited links of a period that are there. */
    async topLinks(userId: number, span: Span, withBots: boolean): Promise<TopLinkRow[]> {
      const hours = hoursWithPast(span);
      let found: TopLinkRow[] = [];
      for (const most of linksLookedFor) {
        const [sums] = await reader.sums([{ userId, dimension: dimensions.link, ...hours, withBots, most }]);
        const counted = sums?.rows.map(({ word: id, ...metrics }) => ({ id, ...metrics })) ?? [];
        found = await linksWithMetrics(userId, counted);
        if (found.length === mostLinks || counted.length < most) break;
      }
      return found;
    },

    /** The campaigns, channels and domains whose links were visited most. */
    async topGroups(
      user: number,
      member: number | null,
      span: Span,
      withBots: boolean,
    ): Promise<Record<LinkGroup, TopGroupRow[]>> {
      const hours = hoursWithPast(span);
      const question = {
        userId: user,
        member,
        dimension: dimensions.link,
        ...hours,
        withBots,
        most: mostLinks,
      };
      const found = await reader.groups(question);
      async function named(group: LinkGroup): Promise<TopGroupRow[]> {
        const ids = JSON.stringify(found[group].map(({ id }) => id));
        const rows = await rowsOf<Pick<TopGroupRow, 'id' | 'name' | 'color'>>({
          sql: `${groupNamesSql[group]} AND id IN (SELECT value FROM json_each(@ids))`,
          values: [{ user, ids }],
        });
        const nameOf = new Map(rows.map((row) => [row.id, row]));
        return found[group].flatMap((metrics) => {
          const row = nameOf.get(metrics.id) ?? (metrics.id === 0 ? { name: '', color: null } : undefined);
          return row ? [{ ...metrics, name: row.name, color: row.color }] : [];
        });
      }
      const [campaigns, channels, domains] = await Promise.all(
        (['campaigns', 'channels', 'domains'] as const).map(named),
      );
      return { campaigns: campaigns ?? [], channels: channels ?? [], domains: domains ?? [] };
    },

    /** The most visited ones of some links. */
    topLinksOf(ids: string, span: Span, withBots: boolean): Promise<TopLinkRow[]> {
      const [from, to] = hoursOf(span);
      const values = [{ ids, from, to, bots: withBots ? 1 : 0, most: mostLinks }];
      return rowsOf<TopLinkRow>({ sql: topOfLinksSql, values });
    },

    /** How many links an account has in all, or of some. */
    async linkCounts(user: number, at: number, choice: LinkChoice): Promise<LinkCounts> {
      const [row] = await rowsOf<LinkCounts>(
        isEverything(choice)
          ? { sql: linkCountsSql, values: [{ user, now: at }] }
          : { sql: chosenCountsSql, values: [{ ...choiceOf(user, choice), now: at }] },
      );
      return row ?? { links: 0, activeLinks: 0 };
    },
  };
}

export type StatsQueries = ReturnType<typeof statsQueries>;

/** Whether a choice is all links of an account. */
export function isEverything({ member, campaign, channel, domain }: LinkChoice): boolean {
  return member === null && campaign === undefined && channel === undefined && domain === undefined;
}

function choiceOf(user: number, { member, campaign, channel, below, domain }: LinkChoice) {
  return {
    user,
    member,
    campaign: campaign ?? null,
    channel: channel ?? null,
    below: below ? 1 : 0,
    domain: domain ?? null,
  };
}

interface CountedWord extends Metrics {
  value: string;
  id: number;
  allClicks: number;
  allUniqueClicks: number;
  allBots: number;
}

function valueMetrics(rows: CountedWord[], total: Metrics, isSource: boolean): ValueMetrics[] {
  const [first] = rows;
  const found: ValueMetrics[] = rows.map(({ value, id, clicks, uniqueClicks, bots }) => ({
    value: isSource ? id : value,
    clicks,
    uniqueClicks,
    bots,
  }));
  const rest = {
    value: isSource ? 0 : '',
    clicks: total.clicks - (first?.allClicks ?? 0),
    uniqueClicks: total.uniqueClicks - (first?.allUniqueClicks ?? 0),
    bots: total.bots - (first?.allBots ?? 0),
  };
  return [...found, rest];
}
