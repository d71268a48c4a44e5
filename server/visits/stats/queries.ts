import type { StatsDimension } from '../../contract/stats.ts';
import type { Read, Reader } from '../../platform/database/reader.ts';
import { dimensions, hourMs, scopes } from '../clicks/dimensions.ts';
import type { Span } from './periods.ts';

/** Whose clicks: all of a user's links, or one link. */
export type Subject = { userId: number } | { linkId: number };
/** The same, or the sum over some links. */
export type Subjects = Subject | { linkIds: readonly number[] };

export interface Figures {
  clicks: number;
  uniqueClicks: number;
  bots: number;
}

export interface WordFigures extends Figures {
  /** The word, or for the dimension `source` its number. */
  value: string | number;
}

export interface TopLinkRow extends Figures {
  id: number;
  alias: string;
  host: string | null;
  title: string | null;
  url: string;
}

export interface LinkCounts {
  links: number;
  activeLinks: number;
}

const firstHourSql = `
  SELECT min(hour) AS hour FROM rollups WHERE scope = ? AND scope_id IN (SELECT value FROM json_each(?)) AND dimension = 0`;

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
const wordsSql = `
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

const topLinksSql = `
  WITH counted AS (
    SELECT word AS id, sum(clicks) AS clicks, sum(unique_clicks) AS uniqueClicks, sum(bots) AS bots
    FROM rollups
    WHERE scope = 1 AND scope_id = ? AND dimension = ? AND hour >= ? AND hour < ?
    GROUP BY word
  )
  SELECT links.id, links.alias, domains.host, links.title, links.url, counted.clicks, uniqueClicks, bots
  FROM counted
  JOIN links ON links.id = counted.id AND links.trashed_at IS NULL
  LEFT JOIN domains ON domains.id = links.domain_id
  WHERE counted.clicks + ? * bots > 0
  ORDER BY counted.clicks + ? * bots DESC, links.id
  LIMIT 10`;

const linkCountsSql = `
  SELECT count(*) AS links,
         coalesce(sum(archived = 0 AND (not_before_at IS NULL OR not_before_at <= ?)
                      AND (expires_at IS NULL OR expires_at > ?)
                      AND (click_limit IS NULL OR limited_clicks < click_limit)), 0) AS activeLinks
  FROM links WHERE user_id = ? AND trashed_at IS NULL`;

/** Words of a dimension that a reply carries at most (contract). */
export const mostWords = 50;

/** The scope of the rollups and the ids in it, as JSON. */
function scopeOf(subject: Subjects): [scope: number, ids: string] {
  if ('userId' in subject) return [scopes.user, JSON.stringify([subject.userId])];
  return [scopes.link, JSON.stringify('linkId' in subject ? [subject.linkId] : subject.linkIds)];
}

/** An hour of the rollups counts for the local interval that it begins in. */
function hoursOf({ from, to }: Span): [first: number, end: number] {
  return [Math.ceil(from / hourMs), Math.ceil(to / hourMs)];
}

/** Reads of statistics; all of them run in the reader's thread. */
export function statsQueries(reader: Reader) {
  /** The rows of each read, in order. Their shape is that of the statement. */
  async function rowsOf<Row>(read: Read): Promise<Row[]> {
    const [rows] = await reader.read([read]);
    return (rows ?? []) as Row[];
  }

  return {
    /** The first hour with a counted click, in UTC milliseconds. */
    async firstAt(subject: Subjects): Promise<number | undefined> {
      const [row] = await rowsOf<{ hour: number | null }>({ sql: firstHourSql, values: scopeOf(subject) });
      return typeof row?.hour === 'number' ? row.hour * hourMs : undefined;
    },

    /** Figures of the intervals that have any, by position. */
    series: (subject: Subjects, intervals: readonly Span[]) =>
      rowsOf<Figures & { position: number }>({
        sql: seriesSql,
        values: [JSON.stringify(intervals.map(hoursOf)), ...scopeOf(subject)],
      }),

    async total(subject: Subjects, span: Span): Promise<Figures> {
      const [row] = await rowsOf<Figures>({ sql: totalSql, values: [...scopeOf(subject), ...hoursOf(span)] });
      return row ?? { clicks: 0, uniqueClicks: 0, bots: 0 };
    },

    /** The most frequent words of each dimension. What clicks without a word add up to is `value: ''`. */
    async words(
      subject: Subjects,
      span: Span,
      names: readonly StatsDimension[],
      total: Figures,
      withBots: boolean,
    ): Promise<WordFigures[][]> {
      const results = await reader.read(
        names.map((name) => ({
          sql: wordsSql,
          values: [...scopeOf(subject), dimensions[name], ...hoursOf(span), withBots ? 1 : 0, mostWords],
        })),
      );
      return results.map((rows, index) =>
        wordFigures(rows as unknown as CountedWord[], total, names[index] === 'source'),
      );
    },

    topLinks: (userId: number, span: Span, withBots: boolean) =>
      rowsOf<TopLinkRow>({
        sql: topLinksSql,
        values: [userId, dimensions.link, ...hoursOf(span), withBots ? 1 : 0, withBots ? 1 : 0],
      }),

    async linkCounts(userId: number, now: number): Promise<LinkCounts> {
      const [row] = await rowsOf<LinkCounts>({ sql: linkCountsSql, values: [now, now, userId] });
      return row ?? { links: 0, activeLinks: 0 };
    },
  };
}

export type StatsQueries = ReturnType<typeof statsQueries>;

interface CountedWord extends Figures {
  value: string;
  id: number;
  allClicks: number;
  allUniqueClicks: number;
  allBots: number;
}

function wordFigures(rows: CountedWord[], total: Figures, isSource: boolean): WordFigures[] {
  const [first] = rows;
  const found: WordFigures[] = rows.map(({ value, id, clicks, uniqueClicks, bots }) => ({
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
