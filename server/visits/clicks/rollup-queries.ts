import type { Connection } from '../../platform/database/connect.ts';
import { countedColumns, rareColumns } from './dimensions.ts';
import { manyRows, oneRow, rowWriter } from './row-writer.ts';

/** The data for statistics; dictionary ids are in the order of `countedDimensions`, few clicks have all of them. */
export type LoggedClick = [
  id: number,
  linkId: number,
  at: number,
  visitor: number,
  bot: number,
  ...words: number[],
];

/** The progress of the current batch: everything up to this point is in the tables. */
export interface Progress {
  /** 0: links, 1: users, 2: all metrics are written. */
  scope: number;
  id: number;
  hour: number;
  key: number;
}

interface PositionRow {
  position: number;
  batch_end: number;
  done_scope: number;
  done_id: number;
  done_hour: number;
  done_key: number;
}

/** The increments of one roll-up row, in column order. */
export type MetricsRow = readonly [
  scope: number,
  id: number,
  dimension: number,
  hour: number,
  word: number,
  clicks: number,
  uniqueClicks: number,
  bots: number,
];

export type RollupQueries = ReturnType<typeof rollupQueries>;

const metricColumns = 'scope, scope_id, dimension, hour, word, clicks, unique_clicks, bots';
const addVisitors = 'INSERT OR IGNORE INTO visitors (day, scope, scope_id, visitor)';
const addListed = 'INSERT OR IGNORE INTO link_clicks (link_id, click_id)';
/** Adds to an existing row. */
const addedUp = `ON CONFLICT (scope, scope_id, dimension, hour, word) DO UPDATE SET
  clicks = clicks + excluded.clicks,
  unique_clicks = unique_clicks + excluded.unique_clicks,
  bots = bots + excluded.bots`;

/** Reads and writes of the counting; every write is in the caller's transaction. */
export function rollupQueries(connection: Connection) {
  const position = connection.prepare<[], PositionRow>(
    'SELECT position, batch_end, done_scope, done_id, done_hour, done_key FROM rollup_position WHERE id = 1',
  );
  const nextClicks = connection
    .prepare<[number, number, number], LoggedClick>(
      `SELECT id, link_id, at, visitor, bot, ${countedColumns.join(', ')}
       FROM clicks
       WHERE id > ? AND id <= ?
       ORDER BY id
       LIMIT ?`,
    )
    .raw();
  // Not a join, which would be replanned for every range (decision 0028).
  const rareValuesOf = connection
    .prepare<[number, number], [id: number, ...words: number[]]>(
      `SELECT click_id, ${rareColumns.join(', ')} FROM click_marks
       WHERE click_id > ? AND click_id <= ? ORDER BY click_id`,
    )
    .raw();
  const lastClick = connection.prepare<[], number | null>('SELECT max(id) FROM clicks').pluck();
  const setProgress = connection.prepare<[number, number, number, number, number]>(
    `UPDATE rollup_position
     SET batch_end = ?, done_scope = ?, done_id = ?, done_hour = ?, done_key = ? WHERE id = 1`,
  );
  const setPosition = connection.prepare<[number]>(
    `UPDATE rollup_position
     SET position = ?, batch_end = 0, done_scope = 0, done_id = 0, done_hour = 0, done_key = 0 WHERE id = 1`,
  );
  const findOwner = connection.prepare<[number], number>('SELECT user_id FROM links WHERE id = ?').pluck();
  const hasVisitor = connection
    .prepare<[number, number, number, number], number>(
      'SELECT 1 FROM visitors WHERE day = ? AND scope = ? AND scope_id = ? AND visitor = ?',
    )
    .pluck();
  const addHour = connection.prepare<[number, number, number]>(
    `INSERT INTO click_hours (hour, first, last) VALUES (?, ?, ?)
     ON CONFLICT (hour) DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)`,
  );
  const sweepVisitors = connection.prepare<[number, number]>(
    `DELETE FROM visitors
     WHERE (day, scope, scope_id, visitor) IN
           (SELECT day, scope, scope_id, visitor FROM visitors
            WHERE day < ? - iif(EXISTS (SELECT 1 FROM fleet_sources), 2, 0) LIMIT ?)`,
  );
  const addToLink = connection.prepare<[number, number, number, number]>(
    `UPDATE links SET
       clicks = clicks + ?,
       unique_clicks = unique_clicks + ?,
       clicked_at = max(coalesce(clicked_at, 0), ?)
     WHERE id = ?`,
  );
  const metrics = rowWriter({
    columns: 8,
    one: connection.prepare(`INSERT INTO rollups (${metricColumns}) VALUES ${oneRow(8)} ${addedUp}`),
    many: connection.prepare(`INSERT INTO rollups (${metricColumns}) VALUES ${manyRows(8)} ${addedUp}`),
  });
  const visitors = rowWriter({
    columns: 4,
    one: connection.prepare(`${addVisitors} VALUES ${oneRow(4)}`),
    many: connection.prepare(`${addVisitors} VALUES ${manyRows(4)}`),
  });
  const listed = rowWriter({
    columns: 2,
    one: connection.prepare(`${addListed} VALUES ${oneRow(2)}`),
    many: connection.prepare(`${addListed} VALUES ${manyRows(2)}`),
  });
  const waiting = [metrics, visitors, listed];

  return {
    /** The counting position: the last counted click, and the current batch. */
    position(): { position: number; batchEnd: number; progress: Progress } {
      const row = position.get();
      if (!row) throw new Error('the position of the statistics is missing');
      const { done_scope: scope, done_id: id, done_hour: hour, done_key: key } = row;
      return { position: row.position, batchEnd: row.batch_end, progress: { scope, id, hour, key } };
    },
    lastClick: (): number => lastClick.get() ?? 0,
    nextClicks(after: number, end: number, most: number): LoggedClick[] {
      const clicks = nextClicks.all(after, end, most);
      let place = 0;
      for (const [id, ...words] of rareValuesOf.all(after, clicks.at(-1)?.[0] ?? after)) {
        while ((clicks[place]?.[0] ?? id) < id) place += 1;
        clicks[place]?.push(...words);
      }
      return clicks;
    },
    setProgress: (batchEnd: number, { scope, id, hour, key }: Progress) =>
      setProgress.run(batchEnd, scope, id, hour, key),
    /** Moves the position to the end of a batch, which completes it. */
    setPosition: (end: number) => setPosition.run(end),
    findOwner: (linkId: number) => findOwner.get(linkId),
    hasVisitor: (day: number, scope: number, id: number, visitor: number): boolean =>
      hasVisitor.get(day, scope, id, visitor) === 1,
    /**
     * Deletes at most `most` visitors of days before `day`; returns how many. With edges, two more days are kept, as
     * long as NATS keeps changes: late clicks of counted visitors must be recognized.
     */
    sweepVisitors: (day: number, most: number): number => sweepVisitors.run(day, most).changes,
    addHour: (hour: number, first: number, last: number) => addHour.run(hour, first, last),
    // These are written by the next `flush` at the latest.
    /** Adds to a row of the roll-ups. */
    addMetrics: (row: MetricsRow) => metrics.add(row),
    addVisitor: (day: number, scope: number, id: number, visitor: number) =>
      visitors.add([day, scope, id, visitor]),
    addLinkClick: (linkId: number, clickId: number) => listed.add([linkId, clickId]),
    flush(): void {
      for (const rows of waiting) rows.flush();
    },
    /** Discards pending rows after a rollback. */
    drop(): void {
      for (const rows of waiting) rows.drop();
    },
    addToLink: (linkId: number, clicks: number, uniqueClicks: number, lastAt: number) =>
      addToLink.run(clicks, uniqueClicks, lastAt, linkId),
  };
}
