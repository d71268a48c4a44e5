import { type LoggedDimension, loggedDimensions } from '../../contract/dimensions.ts';
import type { Read, Reader } from '../../platform/database/reader.ts';
import {
  columnOf,
  dictionaryColumns,
  hourMs,
  rareColumns,
  sources,
  withMarks,
} from '../clicks/dimensions.ts';
import { channelsBelow } from './channels-below.ts';
import type { ClickRow } from './click-queries.ts';
import { dictionaryIds } from './dictionary-texts.ts';
import type { Filters } from './filter-queries.ts';
import { firstSinceSql, lastBeforeSql } from './log-start.ts';
import type { LinkChoice } from './queries.ts';

/** A click with everything that the log has of it. */
export interface FullClickRow extends ClickRow {
  rule: number | null;
  region: string;
  utm_source: string;
  utm_medium: string;
  utm_campaign: string;
  utm_term: string | null;
  utm_content: string | null;
  param1: string | null;
  param2: string | null;
  param3: string | null;
  param4: string | null;
  param5: string | null;
  edge: string | null;
}

/** Whose clicks are exported. */
export type ExportSubject = { linkId: number } | ({ userId: number } & LinkChoice);

const passes = loggedDimensions.map(
  (name) => `(@${name} IS NULL OR ${columnOf(name)} IN (SELECT value FROM json_each(@${name})))`,
);
const conditions = `clicks.bot <= @bots AND (@from IS NULL OR clicks.at >= @from) AND (@to IS NULL OR clicks.at < @to)
  AND ${passes.join(' AND ')}`;
const columns = `
  SELECT clicks.id, clicks.link_id, links.alias, domains.host, links.title, clicks.at, clicks.source, clicks.rule, clicks.bot,
    clicks.address, ${dictionaryColumns.map((name) => `(SELECT word FROM words WHERE id = clicks.${name}) AS ${name}`).join(', ')},
    ${rareColumns.map((name) => `(SELECT word FROM words WHERE id = click_marks.${name}) AS ${name}`).join(', ')}`;

/**
 * A stretch of the log: an account's clicks lie among those of others, so what is bounded is how many are looked at.
 */
const ofAccountSql = `${columns}
  FROM clicks
  CROSS JOIN links ON links.id = clicks.link_id AND links.user_id = @user AND links.trashed_at IS NULL
    AND (@member IS NULL OR ifnull(links.created_by, links.user_id) = @member)
    AND (@campaign IS NULL OR links.campaign_id = @campaign)
    AND (@domain IS NULL OR ifnull(links.domain_id, 0) = @domain)
    AND (@channel IS NULL OR EXISTS (SELECT 1 FROM link_channels WHERE link_id = links.id
      AND (channel_id = @channel OR (@below = 1 AND channel_id IN (${channelsBelow})))))
  LEFT JOIN domains ON domains.id = links.domain_id
  ${withMarks}
  WHERE clicks.id > @after AND clicks.id <= @until AND ${conditions}
  ORDER BY clicks.id`;
const stretch = 4_000;

const ofLinkSql = `${columns}
  FROM (SELECT click_id FROM link_clicks WHERE link_id = @link AND click_id > @after AND click_id <= @until
        ORDER BY click_id LIMIT @limit) AS picked
  CROSS JOIN clicks ON clicks.id = picked.click_id
  CROSS JOIN links ON links.id = clicks.link_id
  LEFT JOIN domains ON domains.id = links.domain_id
  ${withMarks}
  WHERE ${conditions}
  ORDER BY clicks.id`;
const lastOfLinkSql = `
  SELECT max(click_id) AS last, count(*) AS found FROM (
    SELECT click_id FROM link_clicks WHERE link_id = @link AND click_id > @after AND click_id <= @until
    ORDER BY click_id LIMIT @limit)`;
const rowsOfLink = 500;

export interface ExportedSpan {
  withBots: boolean;
  /** UTC milliseconds; `to` is not part of it. */
  from: number | null;
  to: number | null;
}

/** What clicks must have, as the statements take it: JSON lists of the numbers in the log, null for anything. */
export type Passing = Readonly<Record<LoggedDimension, string | null>>;

/** Reads of the log from its beginning, in pieces; all of them run in the reader's thread. */
export function exportQueries(reader: Pick<Reader, 'read'>) {
  async function rowsOf<Row>(read: Read): Promise<Row[]> {
    const [rows = []] = await reader.read([read]);
    return rows as Row[];
  }

  return {
    /** Filters with the dictionary ids of the log; values that no click has ever had are missing from it. */
    async passing(filters: Filters): Promise<Passing> {
      const texts = loggedDimensions.flatMap((name) => (name === 'source' ? [] : (filters[name] ?? [])));
      const idOf = texts.length > 0 ? await dictionaryIds(rowsOf, texts) : new Map<string, number>();
      const numberOf = (name: LoggedDimension, value: string) =>
        name === 'source' ? (sources as readonly string[]).indexOf(value) : (idOf.get(value) ?? -1);
      const listOf = (name: LoggedDimension) => {
        const values = filters[name];
        return values ? JSON.stringify(values.map((value) => numberOf(name, value))) : null;
      };
      return Object.fromEntries(loggedDimensions.map((name) => [name, listOf(name)])) as Passing;
    },

    /** The range of log ids of a time span: greater than `after`, up to `until`. */
    async range({ from, to }: ExportedSpan): Promise<{ after: number; until: number }> {
      const [[start] = [], [end] = []] = await reader.read([
        { sql: firstSinceSql, values: [{ hour: Math.floor((from ?? 0) / hourMs) }] },
        { sql: lastBeforeSql, values: [{ to: to ?? Number.MAX_SAFE_INTEGER }] },
      ]);
      return { after: Number(start?.first ?? 1) - 1, until: Number(end?.last ?? 0) };
    },

    /** The next clicks, oldest first, and the id up to which the log was looked through. */
    async next(
      subject: ExportSubject,
      { withBots, from, to }: ExportedSpan,
      { after, until, passing }: { after: number; until: number; passing: Passing },
    ): Promise<{ rows: FullClickRow[]; seen: number }> {
      const span = { ...passing, bots: withBots ? 1 : 0, from, to, after };
      if ('linkId' in subject) {
        const picked = { link: subject.linkId, after, until, limit: rowsOfLink };
        const [rows = [], [end] = []] = await reader.read([
          { sql: ofLinkSql, values: [{ ...span, ...picked }] },
          { sql: lastOfLinkSql, values: [picked] },
        ]);
        const isOver = Number(end?.found ?? 0) < rowsOfLink;
        return { rows: rows as unknown as FullClickRow[], seen: isOver ? until : Number(end?.last) };
      }
      const seen = Math.min(until, after + stretch);
      const { userId: user, member, campaign = null, channel = null, below = false, domain = null } = subject;
      const chosen = { user, member, campaign, channel, below: below ? 1 : 0, domain };
      const values = [{ ...span, ...chosen, until: seen }];
      const [rows = []] = await reader.read([{ sql: ofAccountSql, values }]);
      return { rows: rows as unknown as FullClickRow[], seen };
    },
  };
}

export type ExportQueries = ReturnType<typeof exportQueries>;
