import type { Connection } from '../../platform/database/connect.ts';
import { dictionaryColumns, rareColumns } from './dimensions.ts';

const clickColumns = [
  'id',
  'link_id',
  'at',
  'visitor',
  'source',
  'rule',
  'bot',
  ...dictionaryColumns,
  'address',
] as const;

/** The value of a click's column. */
export type ClickValue = number | string | null;

/** Rows of the multi-row statement: one call for eight clicks costs a third less than eight calls. */
export const clicksPerInsert = 8;

export const columnsPerClick = clickColumns.length;

const columns = clickColumns.join(', ');
const oneRow = `(${clickColumns.map(() => '?').join(', ')})`;
const manyRows = Array(clicksPerInsert).fill(oneRow).join(', ');

export interface UnmatchedVisit {
  at: number;
  /** 0 is the instance's own host. */
  domainId: number;
  path: string;
  referrer: string;
  bot: boolean;
}

/** The recorder's writes, one transaction per group. Clicks are flat arrays of column values. */
export function recordQueries(connection: Connection) {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const insertOne = connection.prepare<ClickValue[]>(`INSERT INTO clicks (${columns}) VALUES ${oneRow}`);
  const insertMany = connection.prepare<ClickValue[]>(`INSERT INTO clicks (${columns}) VALUES ${manyRows}`);
  const insertRareValues = connection.prepare<number[]>(
    `INSERT INTO click_marks (click_id, ${rareColumns.join(', ')}) VALUES (?, ${rareColumns.map(() => '?').join(', ')})`,
  );
  const lastId = connection
    .prepare<[], number>(
      `SELECT max(coalesce((SELECT max(id) FROM clicks), 0), position, batch_end) FROM rollup_position WHERE id = 1`,
    )
    .pluck();
  const consume = connection.prepare<[number]>(
    `UPDATE links SET limited_clicks = limited_clicks + 1
     WHERE id = ? AND (click_limit IS NULL OR limited_clicks < click_limit)`,
  );
  const insertUnmatched = connection.prepare(
    'INSERT INTO orphan_visits (at, domain_id, path, referrer, bot) VALUES (?, ?, ?, ?, ?)',
  );
  const trimOrphans = connection.prepare(
    'DELETE FROM orphan_visits WHERE id <= (SELECT max(id) FROM orphan_visits) - ?',
  );
  return {
    begin: () => begin.run(),
    commit: () => commit.run(),
    rollback(): void {
      // SQLite rolls back automatically after some errors, including a full disk.
      if (connection.inTransaction) connection.exec('ROLLBACK');
    },
    /**
     * The highest click id ever assigned. Ids are never reused: if the newest clicks were deleted with their link, a
     * new click with an id below the counted position, or below the end of the current batch, would never be counted.
     */
    lastId: (): number => lastId.get() ?? 0,
    // Positional: an array would be queried for each of its values, which costs a fifth of the insert.
    insertOne: (values: ClickValue[]) => insertOne.run(...values),
    insertMany: (values: ClickValue[]) => insertMany.run(...values),
    /** The rare dimensions of a click, which must exist. */
    insertRareValues: (id: number, marks: readonly number[]) => insertRareValues.run(id, ...marks),
    /** Uses up one click of a limited link; false if none was left. */
    consume: (linkId: number): boolean => consume.run(linkId).changes === 1,
    insertUnmatched: (visit: UnmatchedVisit) =>
      insertUnmatched.run(visit.at, visit.domainId, visit.path, visit.referrer, visit.bot ? 1 : 0),
    /** Stores the newest visits that reached no link. */
    trimOrphans: (keep: number) => trimOrphans.run(keep),
  };
}
