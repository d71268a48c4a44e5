import type { Reader } from '../../platform/database/reader.ts';
import type { Subject } from './queries.ts';

export interface ClickRow {
  id: number;
  link_id: number;
  alias: string;
  host: string | null;
  title: string | null;
  at: number;
  source: number;
  bot: number;
  country: string;
  city: string;
  referrer: string;
  referrer_path: string;
  browser: string;
  os: string;
  device: string;
  language: string;
  address: string | null;
}

const clickWords = `
  picked.at, picked.source, picked.bot, picked.address, country.word AS country, city.word AS city, referrer.word AS referrer,
  path.word AS referrer_path, browser.word AS browser, os.word AS os, device.word AS device,
  language.word AS language`;
const clickWordJoins = `
  JOIN words AS country ON country.id = picked.country
  JOIN words AS city ON city.id = picked.city
  JOIN words AS referrer ON referrer.id = picked.referrer
  JOIN words AS path ON path.id = picked.referrer_path
  JOIN words AS browser ON browser.id = picked.browser
  JOIN words AS os ON os.id = picked.os
  JOIN words AS device ON device.id = picked.device
  JOIN words AS language ON language.id = picked.language
  LEFT JOIN domains ON domains.id = links.domain_id
  ORDER BY picked.id DESC`;

/**
 * For an account that has a good share of the log. CROSS JOIN keeps the log outside: it is read from its end and only as
 * far as the page needs.
 */
const userClicksSql = `
  SELECT picked.id, picked.link_id, links.alias, domains.host, links.title, ${clickWords}
  FROM (
    SELECT clicks.* FROM clicks
    CROSS JOIN links ON links.id = clicks.link_id AND links.user_id = ? AND links.trashed_at IS NULL
    WHERE clicks.bot <= ?
    ORDER BY clicks.id DESC LIMIT ? OFFSET ?
  ) AS picked
  JOIN links ON links.id = picked.link_id ${clickWordJoins}`;

/** For an account that has little of the log: its own clicks, link by link, and nobody else's. */
const fewClicksSql = `
  SELECT picked.id, picked.link_id, links.alias, domains.host, links.title, ${clickWords}
  FROM (
    SELECT clicks.* FROM links
    CROSS JOIN link_clicks ON link_clicks.link_id = links.id
    CROSS JOIN clicks ON clicks.id = link_clicks.click_id
    WHERE links.user_id = ? AND links.trashed_at IS NULL AND clicks.bot <= ?
    ORDER BY clicks.id DESC LIMIT ? OFFSET ?
  ) AS picked
  JOIN links ON links.id = picked.link_id ${clickWordJoins}`;

/** Clicks of the log, more or less: ids are given in order, and only old ones go. */
const logSizeSql =
  'SELECT ifnull((SELECT max(id) FROM clicks) - (SELECT min(id) FROM clicks) + 1, 0) AS total';

/** An account with less than this share of the log has its clicks read link by link. */
const goodShare = 1 / 50;

const linkClicksSql = `
  SELECT picked.id, picked.link_id, links.alias, domains.host, links.title, ${clickWords}
  FROM (
    SELECT clicks.* FROM link_clicks
    CROSS JOIN clicks ON clicks.id = link_clicks.click_id
    WHERE link_clicks.link_id = ? AND clicks.bot <= ?
    ORDER BY link_clicks.click_id DESC LIMIT ? OFFSET ?
  ) AS picked
  JOIN links ON links.id = picked.link_id ${clickWordJoins}`;

const clicksByIdSql = `
  SELECT picked.id, picked.link_id, links.alias, domains.host, links.title, ${clickWords}
  FROM (SELECT * FROM clicks WHERE id IN (SELECT value FROM json_each(?))) AS picked
  JOIN links ON links.id = picked.link_id ${clickWordJoins}`;

/**
 * What is listed for a user are the clicks of links that are there, so these are summed, not the user's own rows. What
 * was deleted for its age is in the rollups but not in the log.
 */
const userClickCountSql = `
  SELECT
    coalesce((SELECT sum(rollups.clicks + ? * rollups.bots) FROM links
              CROSS JOIN rollups ON scope = 0 AND scope_id = links.id AND dimension = 0
              WHERE links.user_id = ? AND links.trashed_at IS NULL), 0)
  - coalesce((SELECT sum(forgotten_clicks.clicks + ? * forgotten_clicks.bots) FROM links
              CROSS JOIN forgotten_clicks ON forgotten_clicks.link_id = links.id
              WHERE links.user_id = ? AND links.trashed_at IS NULL), 0) AS total`;

const linkClickCountSql = `
  SELECT
    coalesce((SELECT sum(clicks + ? * bots) FROM rollups WHERE scope = 0 AND scope_id = ? AND dimension = 0), 0)
  - coalesce((SELECT clicks + ? * bots FROM forgotten_clicks WHERE link_id = ?), 0) AS total`;

const linkTotalsSql = 'SELECT id, clicks FROM links WHERE id IN (SELECT value FROM json_each(?))';

/** Reads of the click log itself; all of them run in the reader's thread. */
export function clickQueries(reader: Reader) {
  async function rowsOf<Row>(sql: string, ids: readonly number[]): Promise<Row[]> {
    const [rows] = await reader.read([{ sql, values: [JSON.stringify(ids)] }]);
    return (rows ?? []) as Row[];
  }

  return {
    /** A page of the log, newest first, and how many clicks there are. */
    async clicks(subject: Subject, withBots: boolean, limit: number, offset: number) {
      const bots = withBots ? 1 : 0;
      const isUser = 'userId' in subject;
      const id = isUser ? subject.userId : subject.linkId;
      const [[counted] = [], [log] = []] = await reader.read([
        { sql: isUser ? userClickCountSql : linkClickCountSql, values: [bots, id, bots, id] },
        { sql: logSizeSql, values: [] },
      ]);
      const total = Number(counted?.total ?? 0);
      if (total <= offset) return { rows: [], total };
      const isFew = total < Number(log?.total ?? 0) * goodShare;
      const sql = isUser ? (isFew ? fewClicksSql : userClicksSql) : linkClicksSql;
      const [rows = []] = await reader.read([{ sql, values: [id, bots, limit, offset] }]);
      return { rows: rows as unknown as ClickRow[], total };
    },

    clicksById: (ids: readonly number[]) => rowsOf<ClickRow>(clicksByIdSql, ids),

    /** Counted clicks of links, all time. */
    linkTotals: (ids: readonly number[]) => rowsOf<{ id: number; clicks: number }>(linkTotalsSql, ids),
  };
}

export type ClickQueries = ReturnType<typeof clickQueries>;
