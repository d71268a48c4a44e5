import { markKeeping } from '../database/authorship.ts';
import type { Connection } from '../database/connect.ts';
import { authoredTables } from '../database/edited-tables.ts';
import { type Source, sourcesOf, type TrashResource } from './sources.ts';

/** How many deleted records of each type each person has in each account, for `trimJob`. */
export const heldRemovals = `
  SELECT resource, user_id AS account, ifnull(created_by, user_id) AS creator, count(*) AS total
  FROM removals INDEXED BY removals_by_creator GROUP BY resource, user_id, ifnull(created_by, user_id)`;

/** Rows of a record that are permanently deleted at a time. */
const partsPerStep = 20;

interface Rows {
  id: number;
  user: number;
  rows: string;
}

/** SQL of deleted records that can be restored. Everything runs inside a transaction of the caller. */
export function trashQueries(database: Connection) {
  const insert = database.prepare<[string, number, number, string, number]>(
    `INSERT INTO removals (resource, record_id, user_id, content, removed_at, state) VALUES (?, ?, ?, ?, ?, 'leaving')
     ON CONFLICT (resource, record_id) DO UPDATE SET
       user_id = excluded.user_id, content = excluded.content, removed_at = excluded.removed_at, state = excluded.state`,
  );
  const find = database
    .prepare<[string, number, number, number], string>(
      `SELECT content FROM removals
       WHERE resource = ? AND record_id = ? AND user_id = ? AND removed_at >= ? AND state = 'trashed'`,
    )
    .pluck();
  const setState = database.prepare<[string, string, number]>(
    'UPDATE removals SET state = ? WHERE resource = ? AND record_id = ?',
  );
  const remove = database.prepare<[string, number]>(
    'DELETE FROM removals WHERE resource = ? AND record_id = ?',
  );
  const before = database.prepare<[number, number], TrashRow>(
    `SELECT resource, record_id AS id, user_id AS userId FROM removals WHERE removed_at < ? AND state = 'trashed'
     ORDER BY removed_at LIMIT ?`,
  );
  const oldest = database
    .prepare<[string, number, number], number>(
      `SELECT record_id FROM removals INDEXED BY removals_by_creator
       WHERE resource = ? AND user_id = ? AND ifnull(created_by, user_id) = ? AND state = 'trashed'
       ORDER BY removed_at LIMIT 1`,
    )
    .pluck();
  const underWay = database.prepare<[string, number], MovingRow>(
    `SELECT resource, record_id AS id, user_id AS userId, state FROM removals
     WHERE resource = ? AND record_id = ? AND state <> 'trashed'`,
  );
  const nextUnderWay = database.prepare<[], MovingRow>(
    `SELECT resource, record_id AS id, user_id AS userId, state FROM removals WHERE state <> 'trashed'
     ORDER BY resource, record_id LIMIT 1`,
  );
  const insertPart = database.prepare<[string, number, string, string]>(
    'INSERT INTO trash_parts (resource, record_id, source, content) VALUES (?, ?, ?, ?)',
  );
  const lastTaken = database
    .prepare<[string, number, string], number>(
      `SELECT content ->> '$[#-1][0]' FROM trash_parts WHERE resource = ? AND record_id = ? AND source = ?
       ORDER BY id DESC LIMIT 1`,
    )
    .pluck();
  const nextPart = database.prepare<[string, number], { id: number; source: string; content: string }>(
    'SELECT id, source, content FROM trash_parts WHERE resource = ? AND record_id = ? ORDER BY id LIMIT 1',
  );
  const removePart = database.prepare<[number]>('DELETE FROM trash_parts WHERE id = ?');
  const removeParts = database.prepare<[string, number]>(
    `DELETE FROM trash_parts WHERE id IN (
       SELECT id FROM trash_parts WHERE resource = ? AND record_id = ? LIMIT ${partsPerStep})`,
  );
  const expire = database.prepare<[string, number]>(
    'UPDATE removals SET removed_at = 0 WHERE resource = ? AND record_id = ? AND removed_at > 0',
  );
  const leave = new Map(
    (Object.keys(sourcesOf) as TrashResource[]).map((resource) => [
      resource,
      database.prepare<[number]>(leaveSql(resource)),
    ]),
  );
  const marks = markKeeping(database);
  const sources = new Map(
    Object.entries(sourcesOf).map(([resource, list]) => [
      resource,
      list.map((source) => sourceStatements(database, source)),
    ]),
  );

  return {
    /**
     * Starts moving a record to the trash: it becomes invisible, `takePart` moves its rows, and `finish` is called
     * once the record is gone.
     */
    insert(resource: TrashResource, id: number, userId: number, content: string, at: number): void {
      insert.run(resource, id, userId, content, at);
      marks.keep(resource, id);
      leave.get(resource)?.run(id);
    },
    finish: (resource: TrashResource, id: number): void => void setState.run('trashed', resource, id),
    find: (resource: TrashResource, id: number, userId: number, since: number): string | undefined =>
      find.get(resource, id, userId, since),
    /**
     * Starts restoring a record, which exists again: `restorePart` restores its rows, and `remove` is called at the
     * end.
     */
    beginRestore(resource: TrashResource, id: number): void {
      marks.restore(resource, id);
      setState.run('returning', resource, id);
    },
    /** A record that is being moved to or from the trash; any of them if none is given. */
    findMoving: (resource: TrashResource, id: number): MovingRow | undefined => underWay.get(resource, id),
    nextMoving: (): MovingRow | undefined => nextUnderWay.get(),

    /** Moves some rows of a record to the trash; false if there are none. */
    takePart({ resource, id, userId: user }: MovingRow): boolean {
      for (const { name, hasPlace, take, remove: removeRows } of sources.get(resource) ?? []) {
        const after = (hasPlace && lastTaken.get(resource, id, name)) || null;
        const rows = take.get({ id, user, after }) ?? '[]';
        if (rows === '[]') continue;
        insertPart.run(resource, id, name, rows);
        removeRows.run({ id, user, rows });
        return true;
      }
      return false;
    },
    /** Restores some rows of a record; false if there are none. */
    restorePart({ resource, id, userId: user }: MovingRow): boolean {
      const part = nextPart.get(resource, id);
      if (!part) return false;
      const source = sources.get(resource)?.find(({ name }) => name === part.source);
      for (const statement of source?.restore ?? []) statement.run({ id, user, rows: part.content });
      removePart.run(part.id);
      return true;
    },
    /**
     * Permanently deletes some rows in the trash; false if there are none. From then on the record counts as too old
     * to be restored incompletely, and old enough for the cleanup job to delete the rest after a stop.
     */
    removeParts(resource: TrashResource, id: number): boolean {
      if (removeParts.run(resource, id).changes === 0) return false;
      expire.run(resource, id);
      return true;
    },
    remove: (resource: TrashResource, id: number): void => void remove.run(resource, id),
    /** Some records deleted before a timestamp, oldest first. */
    listBefore: (timestamp: number, limit: number): TrashRow[] => before.all(timestamp, limit),
    /** The oldest deleted records of those that one person created in an account. */
    findOldest: (resource: TrashResource, account: number, creator: number): number | undefined =>
      oldest.get(resource, account, creator),
  };
}

export type TrashQueries = ReturnType<typeof trashQueries>;

export interface TrashRow {
  resource: TrashResource;
  id: number;
  userId: number;
}

export interface MovingRow extends TrashRow {
  state: 'leaving' | 'returning';
}

function leaveSql(resource: TrashResource): string {
  return `UPDATE ${authoredTables[resource].table} SET leaving = 1 WHERE id = ?`;
}

function sourceStatements(database: Connection, { name, take, remove, restore }: Source) {
  return {
    name,
    /** Whether rows are selected in order, continuing after the last ones taken. */
    hasPlace: take.includes('@after'),
    take: database.prepare<[{ id: number; user: number; after: number | null }], string>(take).pluck(),
    remove: database.prepare<[Rows]>(remove),
    restore: restore.map((sql) => database.prepare<[Rows]>(sql)),
  };
}
