import type { Read, Reader } from '../../platform/database/reader.ts';
import { earliestHourSql, firstSinceSql, hourSql } from './log-start.ts';

/** An account's clicks: of all its links, or of those that a member created. */
export interface AccountSubject {
  userId: number;
  member?: number | null;
}

/** Whose clicks are listed. */
export type LogSubject = AccountSubject | { linkId: number };

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

const clickValues = `
  picked.at, picked.source, picked.bot, picked.address, country.word AS country, city.word AS city, referrer.word AS referrer,
  path.word AS referrer_path, browser.word AS browser, os.word AS os, device.word AS device,
  language.word AS language`;
const clickValueJoins = `
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
 * For an account that has a good share of the latest clicks. CROSS JOIN keeps the log outside: it is read from its end
 * and only as far as the page needs.
 */
const userClicksSql = `
  SELECT picked.id, picked.link_id, links.alias, domains.host, links.title, ${clickValues}
  FROM (
    SELECT clicks.* FROM clicks
    CROSS JOIN links ON links.id = clicks.link_id AND links.user_id = @user AND links.trashed_at IS NULL
    WHERE clicks.bot <= @bots
    ORDER BY clicks.id DESC LIMIT @limit OFFSET @offset
  ) AS picked
  JOIN links ON links.id = picked.link_id ${clickValueJoins}`;

/**
 * For an account that has few of them: the links that have clicks in the log since an id, and of these the clicks since
 * then.
 */
const fewClicksSql = `
  SELECT picked.id, picked.link_id, links.alias, domains.host, links.title, ${clickValues}
  FROM (
    SELECT clicks.* FROM (
      SELECT DISTINCT word AS id FROM rollups
      WHERE scope = 1 AND scope_id = @user AND dimension = 12 AND hour >= ${earliestHourSql('@first')}) AS clicked
    CROSS JOIN links ON links.id = clicked.id AND links.user_id = @user AND links.trashed_at IS NULL
      AND (@member IS NULL OR ifnull(links.created_by, links.user_id) = @member)
    CROSS JOIN link_clicks ON link_clicks.link_id = links.id AND link_clicks.click_id >= @first
    CROSS JOIN clicks ON clicks.id = link_clicks.click_id
    WHERE clicks.bot <= @bots
    ORDER BY clicks.id DESC LIMIT @limit OFFSET @offset
  ) AS picked
  JOIN links ON links.id = picked.link_id ${clickValueJoins}`;

/**
 * Where the log has more clicks than so many times those of a page, and all that are newer, it is not read from its
 * end.
 */
const goodShare = 20;

const linkClicksSql = `
  SELECT picked.id, picked.link_id, links.alias, domains.host, links.title, ${clickValues}
  FROM (
    SELECT clicks.* FROM link_clicks
    CROSS JOIN clicks ON clicks.id = link_clicks.click_id
    WHERE link_clicks.link_id = ? AND clicks.bot <= ?
    ORDER BY link_clicks.click_id DESC LIMIT ? OFFSET ?
  ) AS picked
  JOIN links ON links.id = picked.link_id ${clickValueJoins}`;

const clicksByIdSql = `
  SELECT picked.id, picked.link_id, links.alias, domains.host, links.title, ${clickValues}
  FROM (SELECT * FROM clicks WHERE id IN (SELECT value FROM json_each(?))) AS picked
  JOIN links ON links.id = picked.link_id ${clickValueJoins}`;

/** What is listed for a user are the clicks of links that are there; triggers keep their number. */
const userClickCountSql = 'SELECT clicks AS total FROM click_counts WHERE user_id = ?';

/** The same with bots, which no trigger counts. What was deleted for its age is in the rollups but not in the log. */
const userVisitCountSql = `
  SELECT
    coalesce((SELECT sum(rollups.clicks + ? * rollups.bots) FROM links
              CROSS JOIN rollups ON scope = 0 AND scope_id = links.id AND dimension = 0
              WHERE links.user_id = ? AND links.trashed_at IS NULL), 0)
  - coalesce((SELECT sum(forgotten_clicks.clicks + ? * forgotten_clicks.bots) FROM links
              CROSS JOIN forgotten_clicks ON forgotten_clicks.link_id = links.id
              WHERE links.user_id = ? AND links.trashed_at IS NULL), 0) AS total`;

/** The same of the links that a member created. */
const memberVisitCountSql = `
  SELECT coalesce(sum(
    (SELECT coalesce(sum(clicks + @bots * bots), 0) FROM rollups
     WHERE scope = 0 AND scope_id = links.id AND dimension = 0)
    - coalesce((SELECT clicks + @bots * bots FROM forgotten_clicks WHERE link_id = links.id), 0)), 0) AS total
  FROM links WHERE user_id = @user AND ifnull(created_by, user_id) = @member AND trashed_at IS NULL`;

const linkClickCountSql = `
  SELECT
    coalesce((SELECT sum(clicks + ? * bots) FROM rollups WHERE scope = 0 AND scope_id = ? AND dimension = 0), 0)
  - coalesce((SELECT clicks + ? * bots FROM forgotten_clicks WHERE link_id = ?), 0) AS total`;

const linkTotalsSql = 'SELECT id, clicks FROM links WHERE id IN (SELECT value FROM json_each(?))';

/** Reads of the click log itself; all of them run in the reader's thread. */
export function clickQueries(reader: Pick<Reader, 'read'>) {
  async function rowsOf<Row>(sql: string, ids: readonly number[]): Promise<Row[]> {
    const [rows] = await reader.read([{ sql, values: [JSON.stringify(ids)] }]);
    return (rows ?? []) as Row[];
  }

  /** Some of an account's clicks: of as many of the latest hours as it takes to fill the page. */
  async function userClicks(
    { userId: user, member = null }: AccountSubject,
    bots: 0 | 1,
    limit: number,
    offset: number,
  ): Promise<ClickRow[]> {
    const page = { user, bots, limit, offset };
    // Clicks of links that are in the trash or gone are among those of an hour: then it takes more of them.
    for (let needed = offset + limit; ; needed *= 4) {
      const [[since] = []] = await reader.read([{ sql: hourSql, values: [{ user, bots, needed }] }]);
      const isAll = typeof since?.hour !== 'number';
      const hour = isAll ? 0 : since.hour;
      const [[start] = []] = await reader.read([{ sql: firstSinceSql, values: [{ hour }] }]);
      const first = Number(start?.first ?? 0);
      // A member may have few of the account's clicks.
      const isGood = member === null && Number(start?.later ?? 0) <= goodShare * needed;
      const [rows = []] = await reader.read([
        isGood
          ? { sql: userClicksSql, values: [page] }
          : { sql: fewClicksSql, values: [{ ...page, member, first }] },
      ]);
      if (rows.length === limit || isAll || isGood) return rows as unknown as ClickRow[];
    }
  }

  return {
    /** A page of the log, newest first, and how many clicks there are. */
    async clicks(subject: LogSubject, withBots: boolean, limit: number, offset: number) {
      const bots = withBots ? 1 : 0;
      const [[counted] = []] = await reader.read([countOf(subject, bots)]);
      const total = Number(counted?.total ?? 0);
      if (total <= offset) return { rows: [], total };
      if ('userId' in subject) return { rows: await userClicks(subject, bots, limit, offset), total };
      const values = [subject.linkId, bots, limit, offset];
      const [rows = []] = await reader.read([{ sql: linkClicksSql, values }]);
      return { rows: rows as unknown as ClickRow[], total };
    },

    clicksById: (ids: readonly number[]) => rowsOf<ClickRow>(clicksByIdSql, ids),

    /** Counted clicks of links, all time. */
    linkTotals: (ids: readonly number[]) => rowsOf<{ id: number; clicks: number }>(linkTotalsSql, ids),
  };
}

function countOf(subject: LogSubject, bots: 0 | 1): Read {
  if ('linkId' in subject) {
    const { linkId } = subject;
    return { sql: linkClickCountSql, values: [bots, linkId, bots, linkId] };
  }
  const { userId, member = null } = subject;
  if (member !== null) return { sql: memberVisitCountSql, values: [{ user: userId, member, bots }] };
  return bots === 0
    ? { sql: userClickCountSql, values: [userId] }
    : { sql: userVisitCountSql, values: [bots, userId, bots, userId] };
}

export type ClickQueries = ReturnType<typeof clickQueries>;
