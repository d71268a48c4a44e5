import type { Connection } from '../../platform/database/connect.ts';
import type { Step } from '../../platform/jobs/slices.ts';
import { dimensions, hourMs, scopes } from './dimensions.ts';

interface MovingRow {
  id: number;
  link_id: number;
  from_id: number;
  to_id: number;
  before_hour: number;
  dimension: number;
  hour: number;
  word: number;
}

interface MetricsRow {
  hour: number;
  word: number;
  clicks: number;
  unique_clicks: number;
  bots: number;
}

/** Rows per step. */
const rowsPerStep = 20;
const lastDimension = Math.max(...Object.values(dimensions));

/**
 * Records that a link has moved to another account, so that its metrics follow. Runs inside the transaction of the
 * move, while no batch of clicks is partly counted (`rollups.forgetOwners`): later clicks are counted for the new
 * account.
 */
export function movingMetrics(database: Connection, now: () => number) {
  const uncounted = database
    .prepare<[], number>(
      'SELECT at FROM clicks WHERE id > (SELECT position FROM rollup_position WHERE id = 1) ORDER BY id LIMIT 1',
    )
    .pluck();
  const insert = database.prepare<[number, number, number, number, number]>(
    'INSERT INTO moving_figures (link_id, from_id, to_id, before_hour, dimension) VALUES (?, ?, ?, ?, ?)',
  );
  const keepHours = database.prepare<{ id: number | bigint; link: number; hour: number }>(
    `INSERT INTO moving_hours (move_id, dimension, hour, word, clicks, unique_clicks, bots)
     SELECT @id, dimension, hour, word, clicks, unique_clicks, bots FROM json_each(${allDimensions()}) AS each
     CROSS JOIN rollups ON scope = ${scopes.link} AND scope_id = @link AND dimension = each.value AND hour >= @hour`,
  );
  return (link: number, from: number, to: number): void => {
    const hour = Math.floor(Math.min(now(), uncounted.get() ?? Number.POSITIVE_INFINITY) / hourMs);
    const { lastInsertRowid } = insert.run(link, from, to, hour, lastDimension);
    keepHours.run({ id: lastInsertRowid, link, hour });
  };
}

function allDimensions(): string {
  return `'${JSON.stringify(Array.from({ length: lastDimension + 1 }, (_, dimension) => dimension))}'`;
}

/**
 * Moves the metrics of moved links from their former account to the new one, some rows per step. The totals come last:
 * caches of breakdowns are invalidated when the totals change. A visitor of two links is one unique visitor of an
 * account, which the rows do not attribute to a link; so an account's unique visitors may differ slightly from what
 * they would be if the link had always been there.
 */
export function moveMetrics(connection: Connection): Step {
  const next = connection.prepare<[], MovingRow>('SELECT * FROM moving_figures ORDER BY id LIMIT 1');
  const keptRows = connection.prepare<[number, number, number], MetricsRow>(
    'SELECT * FROM moving_hours WHERE move_id = ? AND dimension = ? ORDER BY hour, word LIMIT ?',
  );
  const forgetKept = connection.prepare<[number, number, number, number]>(
    'DELETE FROM moving_hours WHERE move_id = ? AND dimension = ? AND hour = ? AND word = ?',
  );
  const pastRows = connection.prepare<MovingRow & { limit: number }, MetricsRow>(
    `SELECT hour, word, clicks, unique_clicks, bots FROM rollups
     WHERE scope = ${scopes.link} AND scope_id = @link_id AND dimension = @dimension
       AND (hour, word) > (@hour, @word) AND hour < @before_hour ORDER BY hour, word LIMIT @limit`,
  );
  const goOn = connection.prepare<[number, number, number, number]>(
    'UPDATE moving_figures SET dimension = ?, hour = ?, word = ? WHERE id = ?',
  );
  const end = connection.prepare<[number]>('DELETE FROM moving_figures WHERE id = ?');
  const key =
    'scope = @scope AND scope_id = @account AND dimension = @dimension AND hour = @hour AND word = @word';
  type Place = Record<'scope' | 'account' | 'dimension' | 'hour' | 'word', number>;
  const add = connection.prepare<Place & MetricsRow>(
    `INSERT INTO rollups (scope, scope_id, dimension, hour, word, clicks, unique_clicks, bots)
     VALUES (@scope, @account, @dimension, @hour, @word, @clicks, @unique_clicks, @bots)
     ON CONFLICT (scope, scope_id, dimension, hour, word) DO UPDATE SET clicks = clicks + excluded.clicks,
       unique_clicks = unique_clicks + excluded.unique_clicks, bots = bots + excluded.bots`,
  );
  const subtract = connection.prepare<Place & MetricsRow>(
    `UPDATE rollups SET clicks = max(0, clicks - @clicks), bots = max(0, bots - @bots),
       unique_clicks = min(max(0, unique_clicks - @unique_clicks), max(0, clicks - @clicks) + max(0, bots - @bots))
     WHERE ${key}`,
  );
  const removeEmpty = connection.prepare<Place>(
    `DELETE FROM rollups WHERE ${key} AND clicks = 0 AND bots = 0`,
  );

  function moveRow(moving: MovingRow, dimension: number, row: MetricsRow): void {
    const place = { scope: scopes.user, dimension };
    add.run({ ...row, ...place, account: moving.to_id });
    const left = { ...row, ...place, account: moving.from_id };
    subtract.run(left);
    removeEmpty.run({ ...place, account: moving.from_id, hour: row.hour, word: row.word });
  }

  function moveRows(moving: MovingRow, rows: readonly MetricsRow[]): void {
    for (const row of rows) {
      moveRow(moving, moving.dimension, row);
      // The clicks of a link per hour are a value of the account's `link` dimension.
      if (moving.dimension === dimensions.total)
        moveRow(moving, dimensions.link, { ...row, word: moving.link_id });
    }
  }

  return () => {
    const moving = next.get();
    if (!moving) return false;
    const { id, dimension } = moving;
    const kept = keptRows.all(id, dimension, rowsPerStep);
    if (kept.length > 0) {
      moveRows(moving, kept);
      for (const { hour, word } of kept) forgetKept.run(id, dimension, hour, word);
      return true;
    }
    const past = pastRows.all({ ...moving, limit: rowsPerStep });
    const last = past.at(-1);
    moveRows(moving, past);
    if (last && past.length === rowsPerStep) goOn.run(dimension, last.hour, last.word, id);
    else if (dimension > dimensions.total) goOn.run(dimension - 1, -1, -1, id);
    else end.run(id);
    return true;
  };
}
