import type { Connection } from '../../platform/database/connect.ts';

/** The columns of a click that statistics are made of, in the order of the statement below. */
export type LoggedClick = [
  id: number,
  linkId: number,
  at: number,
  visitor: number,
  source: number,
  bot: number,
  country: number,
  city: number,
  referrer: number,
  browser: number,
  os: number,
  device: number,
  language: number,
  utmSource: number,
  utmMedium: number,
  utmCampaign: number,
];

export type RollupQueries = ReturnType<typeof rollupQueries>;

/** What the catch-up reads and writes; every write of a slice is in the caller's transaction. */
export function rollupQueries(connection: Connection) {
  const hasNext = connection
    .prepare<[], number>(
      `SELECT EXISTS (SELECT 1 FROM clicks WHERE id > (SELECT position FROM rollup_position WHERE id = 1))`,
    )
    .pluck();
  const nextClicks = connection
    .prepare<[number], LoggedClick>(
      `SELECT id, link_id, at, visitor, source, bot, country, city, referrer, browser, os, device, language,
              utm_source, utm_medium, utm_campaign
       FROM clicks
       WHERE id > (SELECT position FROM rollup_position WHERE id = 1)
       ORDER BY id
       LIMIT ?`,
    )
    .raw();
  const setPosition = connection.prepare<[number]>('UPDATE rollup_position SET position = ? WHERE id = 1');
  const findOwner = connection.prepare<[number], number>('SELECT user_id FROM links WHERE id = ?').pluck();
  const addVisitor = connection.prepare<[number, number, number, number]>(
    'INSERT OR IGNORE INTO visitors (day, scope, scope_id, visitor) VALUES (?, ?, ?, ?)',
  );
  const sweepVisitors = connection.prepare<[number, number]>(
    `DELETE FROM visitors
     WHERE (day, scope, scope_id, visitor) IN
           (SELECT day, scope, scope_id, visitor FROM visitors WHERE day < ? LIMIT ?)`,
  );
  const addLinkClick = connection.prepare<[number, number]>(
    'INSERT OR IGNORE INTO link_clicks (link_id, click_id) VALUES (?, ?)',
  );
  const addFigures = connection.prepare<[number, number, number, number, number, number, number, number]>(
    `INSERT INTO rollups (scope, scope_id, dimension, hour, word, clicks, unique_clicks, bots)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (scope, scope_id, dimension, hour, word) DO UPDATE SET
       clicks = clicks + excluded.clicks,
       unique_clicks = unique_clicks + excluded.unique_clicks,
       bots = bots + excluded.bots`,
  );
  const addToLink = connection.prepare<[number, number, number, number]>(
    `UPDATE links SET
       clicks = clicks + ?,
       unique_clicks = unique_clicks + ?,
       clicked_at = max(coalesce(clicked_at, 0), ?)
     WHERE id = ?`,
  );
  return {
    hasNext: () => hasNext.get() === 1,
    nextClicks: (most: number) => nextClicks.all(most),
    setPosition: (position: number) => setPosition.run(position),
    findOwner: (linkId: number) => findOwner.get(linkId),
    /** Whether the visitor is new there on that day. */
    addVisitor: (day: number, scope: number, id: number, visitor: number): boolean =>
      addVisitor.run(day, scope, id, visitor).changes === 1,
    /** Removes at most `most` of the visitors of days before `day`. */
    sweepVisitors: (day: number, most: number) => sweepVisitors.run(day, most),
    addLinkClick: (linkId: number, clickId: number) => addLinkClick.run(linkId, clickId),
    addFigures: (
      scope: number,
      id: number,
      dimension: number,
      hour: number,
      word: number,
      clicks: number,
      uniqueClicks: number,
      bots: number,
    ) => addFigures.run(scope, id, dimension, hour, word, clicks, uniqueClicks, bots),
    addToLink: (linkId: number, clicks: number, uniqueClicks: number, lastAt: number) =>
      addToLink.run(clicks, uniqueClicks, lastAt, linkId),
  };
}
