import type { Connection } from '../../platform/database/connect.ts';
import { scopes } from './dimensions.ts';

/** What is needed to decide whether a click has expired. */
export interface AgedClick {
  id: number;
  link_id: number;
  /** UTC milliseconds. */
  at: number;
  bot: number;
}

/** The position of a link among those of its account. */
export interface LinkPlace {
  id: number;
  /** Creation time, UTC milliseconds. */
  at: number;
  /** 0 in the trash. */
  live: 0 | 1;
}

const beforeAll: LinkPlace = { live: 1, at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

export type RetentionQueries = ReturnType<typeof retentionQueries>;

/**
 * SQL that deletes old clicks from the log. Only counted clicks are selected: others would be missing from the
 * statistics forever.
 */
export function retentionQueries(connection: Connection) {
  const oldest = connection.prepare<[number, number], AgedClick>(
    `SELECT id, link_id, at, bot FROM clicks
     WHERE id > ? AND id <= (SELECT position FROM rollup_position WHERE id = 1)
     ORDER BY id LIMIT ?`,
  );
  const oldestOfLink = connection.prepare<[number, number, number], AgedClick>(
    `SELECT clicks.id, clicks.link_id, clicks.at, clicks.bot
     FROM link_clicks CROSS JOIN clicks ON clicks.id = link_clicks.click_id
     WHERE link_clicks.link_id = ? AND link_clicks.click_id > ?
     ORDER BY link_clicks.click_id LIMIT ?`,
  );
  const links = connection.prepare<[LinkPlace & { user: number; most: number }], LinkPlace>(
    `SELECT id, created_at AS at, trashed_at IS NULL AS live FROM links
     WHERE user_id = @user AND (trashed_at IS NULL) = @live AND (created_at, id) < (@at, @id)
     ORDER BY created_at DESC, id DESC LIMIT @most`,
  );
  const removeClick = connection.prepare<[number]>('DELETE FROM clicks WHERE id = ?');
  const removeFromLink = connection.prepare<[number, number]>(
    'DELETE FROM link_clicks WHERE link_id = ? AND click_id = ?',
  );
  // A deleted link has no metrics that the log could contradict.
  const addForgotten = connection.prepare<[number, number, number]>(
    `INSERT INTO forgotten_clicks (link_id, clicks, bots)
     SELECT id, ?, ? FROM links WHERE id = ?
     ON CONFLICT (link_id) DO UPDATE SET clicks = clicks + excluded.clicks, bots = bots + excluded.bots`,
  );
  const clearAddresses = connection.prepare<[number]>(
    `UPDATE clicks SET address = NULL
     WHERE id IN (SELECT id FROM clicks INDEXED BY clicks_with_address WHERE address IS NOT NULL LIMIT ?)`,
  );
  const nextMetrics = connection
    .prepare<[number, number], number | null>(
      'SELECT min(scope_id) FROM rollups WHERE scope = ? AND scope_id > ?',
    )
    .pluck();
  const isThere = {
    link: connection.prepare<[number], number>('SELECT 1 FROM links WHERE id = ?').pluck(),
    user: connection.prepare<[number], number>('SELECT 1 FROM users WHERE id = ?').pluck(),
  };
  const clicksOfLink = 'SELECT click_id FROM link_clicks WHERE link_id = @link ORDER BY click_id LIMIT @most';
  const removeClicks = [
    `DELETE FROM clicks WHERE id IN (${clicksOfLink})`,
    `DELETE FROM link_clicks WHERE link_id = @link AND click_id IN (${clicksOfLink})`,
  ].map((sql) => connection.prepare<[{ link: number; most: number }]>(sql));
  const removeMetrics = connection.prepare<[{ scope: number; id: number; most: number }]>(
    `DELETE FROM rollups WHERE (scope, scope_id, dimension, hour, word) IN (
       SELECT scope, scope_id, dimension, hour, word FROM rollups
       WHERE scope = @scope AND scope_id = @id LIMIT @most)`,
  );
  const nextGone = connection.prepare<[], number>('SELECT link_id FROM gone_links LIMIT 1').pluck();
  const forgetGone = connection.prepare<[number]>('DELETE FROM gone_links WHERE link_id = ?');
  // The day is the first part of the key, so a link's visitors are looked up day by day; there are two or three days.
  const visitorDays = connection
    .prepare<[], number>(
      `WITH RECURSIVE days (day) AS (
         SELECT min(day) FROM visitors
         UNION ALL SELECT (SELECT min(day) FROM visitors WHERE day > days.day) FROM days WHERE days.day IS NOT NULL)
       SELECT day FROM days WHERE day IS NOT NULL`,
    )
    .pluck();
  const removeVisitors = connection.prepare<[{ day: number; link: number; most: number }]>(
    `DELETE FROM visitors WHERE (day, scope, scope_id, visitor) IN (
       SELECT day, scope, scope_id, visitor FROM visitors
       WHERE day = @day AND scope = 0 AND scope_id = @link LIMIT @most)`,
  );

  return {
    /** A deleted link that may still have clicks or metrics. */
    nextDeletedLink: (): number | undefined => nextGone.get(),
    forgetDeletedLink: (link: number): void => void forgetGone.run(link),
    /** Deletes at most `most` of a link's visitors of a day; returns how many. */
    removeVisitorsOf(link: number, most: number): number {
      for (const day of visitorDays.all()) {
        const { changes } = removeVisitors.run({ day, link, most });
        if (changes > 0) return changes;
      }
      return 0;
    },
    /** The next id with metrics, existing or deleted; undefined at the end. */
    nextWithMetrics: (kind: keyof typeof scopes, after: number): number | undefined =>
      nextMetrics.get(scopes[kind], after) ?? undefined,
    isThere: (kind: keyof typeof scopes, id: number): boolean => isThere[kind].get(id) !== undefined,
    /** Deletes at most `most` clicks of a link; returns how many. */
    removeClicksOf(link: number, most: number): number {
      let removed = 0;
      for (const statement of removeClicks) removed = statement.run({ link, most }).changes;
      return removed;
    },
    /** Deletes at most `most` metrics of a link or account; returns how many. */
    removeMetricsOf: (kind: keyof typeof scopes, id: number, most: number): number =>
      removeMetrics.run({ scope: scopes[kind], id, most }).changes,
    /** The next counted clicks after an id, oldest first. */
    oldest: (after: number, most: number): AgedClick[] => oldest.all(after, most),
    /** The same for one link. */
    oldestOfLink: (linkId: number, after: number, most: number): AgedClick[] =>
      oldestOfLink.all(linkId, after, most),
    /** An account's links after a given one, in index order, then those in the trash. */
    linksAfter(user: number, after: LinkPlace | undefined, most: number): LinkPlace[] {
      const { live, at, id } = after ?? beforeAll;
      const found = links.all({ user, live, at, id, most });
      if (found.length > 0 || live === 0) return found;
      return links.all({ ...beforeAll, user, live: 0, most });
    },
    remove(clicks: readonly AgedClick[]): void {
      const forgotten = new Map<number, { clicks: number; bots: number }>();
      for (const { id, link_id, bot } of clicks) {
        removeClick.run(id);
        removeFromLink.run(link_id, id);
        const sum = forgotten.get(link_id) ?? { clicks: 0, bots: 0 };
        if (bot === 1) sum.bots += 1;
        else sum.clicks += 1;
        forgotten.set(link_id, sum);
      }
      for (const [linkId, sum] of forgotten) addForgotten.run(sum.clicks, sum.bots, linkId);
    },
    /** Removes the addresses of at most `most` clicks; returns how many. */
    clearAddresses(most: number): number {
      // Overwrites the addresses in their page instead of only unlinking them.
      connection.pragma('secure_delete = 1');
      try {
        return clearAddresses.run(most).changes;
      } finally {
        connection.pragma('secure_delete = 0');
      }
    },
  };
}
