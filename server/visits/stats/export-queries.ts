import type { Reader } from '../../platform/database/reader.ts';
import { hourMs, wordColumns } from '../clicks/dimensions.ts';
import type { ClickRow, LogSubject } from './click-queries.ts';
import { firstSinceSql, lastBeforeSql } from './log-start.ts';

/** A click with everything that the log has of it. */
export interface FullClickRow extends ClickRow {
  rule: number | null;
  region: string;
  utm_source: string;
  utm_medium: string;
  utm_campaign: string;
}

const conditions = `clicks.bot <= @bots AND (@from IS NULL OR clicks.at >= @from) AND (@to IS NULL OR clicks.at < @to)`;
const columns = `
  SELECT clicks.id, clicks.link_id, links.alias, domains.host, links.title, clicks.at, clicks.source, clicks.rule, clicks.bot,
    clicks.address, ${wordColumns.map((name) => `(SELECT word FROM words WHERE id = clicks.${name}) AS ${name}`).join(', ')}`;

/** A stretch of the log: an account's clicks lie among those of others, so what is bounded is how many are looked at. */
const ofAccountSql = `${columns}
  FROM clicks
  CROSS JOIN links ON links.id = clicks.link_id AND links.user_id = @user AND links.trashed_at IS NULL
    AND (@member IS NULL OR ifnull(links.created_by, links.user_id) = @member)
  LEFT JOIN domains ON domains.id = links.domain_id
  WHERE clicks.id > @after AND clicks.id <= @until AND ${conditions}
  ORDER BY clicks.id`;
const stretch = 4_000;

const ofLinkSql = `${columns}
  FROM (SELECT click_id FROM link_clicks WHERE link_id = @link AND click_id > @after AND click_id <= @until
        ORDER BY click_id LIMIT @limit) AS picked
  CROSS JOIN clicks ON clicks.id = picked.click_id
  CROSS JOIN links ON links.id = clicks.link_id
  LEFT JOIN domains ON domains.id = links.domain_id
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

/** Reads of the log from its beginning, in pieces; all of them run in the reader's thread. */
export function exportQueries(reader: Pick<Reader, 'read'>) {
  return {
    /** The ids of the log between which a span lies: from above `after` to `until`. */
    async range({ from, to }: ExportedSpan): Promise<{ after: number; until: number }> {
      const [[start] = [], [end] = []] = await reader.read([
        { sql: firstSinceSql, values: [{ hour: Math.floor((from ?? 0) / hourMs) }] },
        { sql: lastBeforeSql, values: [{ to: to ?? Number.MAX_SAFE_INTEGER }] },
      ]);
      return { after: Number(start?.first ?? 1) - 1, until: Number(end?.last ?? 0) };
    },

    /** The next clicks, oldest first, and the id up to which the log was looked through. */
    async next(
      subject: LogSubject,
      { withBots, from, to }: ExportedSpan,
      { after, until }: { after: number; until: number },
    ): Promise<{ rows: FullClickRow[]; seen: number }> {
      const span = { bots: withBots ? 1 : 0, from, to, after };
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
      const { userId: user, member = null } = subject;
      const values = [{ ...span, user, member, until: seen }];
      const [rows = []] = await reader.read([{ sql: ofAccountSql, values }]);
      return { rows: rows as unknown as FullClickRow[], seen };
    },
  };
}

export type ExportQueries = ReturnType<typeof exportQueries>;
