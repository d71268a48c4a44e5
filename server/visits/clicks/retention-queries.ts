import type { Connection } from '../../platform/database/connect.ts';
import { scopes } from './dimensions.ts';

/** What decides whether a click is old, and what is known of it when it is. */
export interface AgedClick {
  id: number;
  link_id: number;
  /** UTC milliseconds. */
  at: number;
  bot: number;
}

/** Where a link is among those of its account. */
export interface LinkPlace {
  id: number;
  /** When it was made, UTC milliseconds. */
  at: number;
  /** 0 in the trash. */
  live: 0 | 1;
}

const beforeAll: LinkPlace = { live: 1, at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

export type RetentionQueries = ReturnType<typeof retentionQueries>;

/**
 * SQL that takes old clicks out of the log. Only counted ones are ever found: what the rollups do not have yet would be
 * missing from the statistics for good.
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
  // A link that is gone for good has no metrics that the log could differ from.
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
  // The day comes first in the key, so a link's visitors are looked for day by day; there are two days or three.
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
    /** A link that is gone for good and whose clicks or metrics may still be there. */
    nextGoneLink: (): number | undefined => nextGone.get(),
    forgetGoneLink: (link: number): void => void forgetGone.run(link),
    /** Removes at most `most` of a link's visitors of some day; returns how many it were. */
    removeVisitorsOf(link: number, most: number): number {
      for (const day of visitorDays.all()) {
        const { changes } = removeVisitors.run({ day, link, most });
        if (changes > 0) return changes;
      }
      return 0;
    },
    /** The next id after one that has metrics in the statistics, there or gone; undefined at the end. */
    nextWithMetrics: (kind: keyof typeof scopes, after: number): number | undefined =>
      nextMetrics.get(scopes[kind], after) ?? undefined,
    isThere: (kind: keyof typeof scopes, id: number): boolean => isThere[kind].get(id) !== undefined,
    /** Removes at most `most` clicks of a link; returns how many it were. */
    removeClicksOf(link: number, most: number): number {
      let removed = 0;
      for (const statement of removeClicks) removed = statement.run({ link, most }).changes;
      return removed;
    },
    /** Removes at most `most` metrics of a link or an account; returns how many it were. */
    removeMetricsOf: (kind: keyof typeof scopes, id: number, most: number): number =>
      removeMetrics.run({ scope: scopes[kind], id, most }).changes,
    /** The next counted clicks of the log after an id, oldest first. */
    oldest: (after: number, most: number): AgedClick[] => oldest.all(after, most),
    /** The same of one link. */
    oldestOfLink: (linkId: number, after: number, most: number): AgedClick[] =>
      oldestOfLink.all(linkId, after, most),
    /**
     * Some of an account's links after one of them, in the order of the index that has them, then those in the trash.
     */
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
    /** Takes the addresses off at most `most` clicks; returns how many it were. */
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
