import { authorKeeping } from '../database/authorship.ts';
import type { Connection } from '../database/connect.ts';

export type TrashResource = 'campaigns' | 'channels' | 'pixels' | 'overlays' | 'splash' | 'bio' | 'qr';

/** Rows of another table that belong to a record alone. */
interface Children {
  table: string;
  /** The column that names the record. */
  owner: string;
  /** The columns that are restored; an id that may have been given away meanwhile is not among them. */
  columns: readonly string[];
  /** Orders the rows, where their order is a matter of ids. */
  order: string;
}

const childrenOf: Partial<Record<TrashResource, readonly Children[]>> = {
  overlays: [
    { table: 'overlay_answers', owner: 'overlay_id', columns: ['sender', 'value', 'at'], order: 'id' },
    { table: 'overlay_past_votes', owner: 'overlay_id', columns: ['value', 'votes', 'at'], order: 'value' },
  ],
  bio: [
    { table: 'bio_counts', owner: 'bio_id', columns: ['hour', 'block', 'visits'], order: 'hour' },
    { table: 'bio_block_clicks', owner: 'bio_id', columns: ['block', 'clicks'], order: 'block' },
    {
      table: 'bio_messages',
      owner: 'bio_id',
      columns: ['id', 'block', 'name', 'email', 'message', 'at'],
      order: 'id',
    },
  ],
  qr: [{ table: 'qr_scans', owner: 'qr_id', columns: ['day', 'scans'], order: 'day' }],
};

/** SQL of what was deleted and can still be restored. Everything runs inside a transaction of the caller. */
export function trashQueries(database: Connection) {
  const insert = database.prepare<[string, number, number, string, number]>(
    'INSERT INTO removals (resource, record_id, user_id, content, removed_at) VALUES (?, ?, ?, ?, ?)',
  );
  const find = database
    .prepare<[string, number, number, number], string>(
      `SELECT content FROM removals WHERE resource = ? AND record_id = ? AND user_id = ? AND removed_at >= ?`,
    )
    .pluck();
  const remove = database.prepare<[string, number]>(
    'DELETE FROM removals WHERE resource = ? AND record_id = ?',
  );
  const before = database.prepare<[number, number], TrashRow>(
    `SELECT resource, record_id AS id, user_id AS userId FROM removals WHERE removed_at < ?
     ORDER BY removed_at LIMIT ?`,
  );
  const authors = authorKeeping(database);
  const rows = Object.entries(childrenOf).flatMap(([resource, tables]) =>
    tables.map((children) => ({
      resource,
      insert: database.prepare<[{ resource: string; id: number }]>(insertSql(children)),
      restore: database.prepare<[{ resource: string; id: number }]>(restoreSql(children)),
    })),
  );
  return {
    /** Copies a record with its children, which are all still there. */
    insert(resource: TrashResource, id: number, userId: number, content: string, at: number): void {
      insert.run(resource, id, userId, content, at);
      authors.keep(resource, id);
      for (const row of rows) if (row.resource === resource) row.insert.run({ resource, id });
    },
    find: (resource: TrashResource, id: number, userId: number, since: number): string | undefined =>
      find.get(resource, id, userId, since),
    /** Puts the children of a record back, which is there again. */
    restoreChildren(resource: TrashResource, id: number): void {
      authors.restore(resource, id);
      for (const row of rows) if (row.resource === resource) row.restore.run({ resource, id });
    },
    remove: (resource: TrashResource, id: number): void => void remove.run(resource, id),
    /** Some of what was deleted before a timestamp, the oldest first. */
    listBefore: (timestamp: number, limit: number): TrashRow[] => before.all(timestamp, limit),
  };
}

export type TrashQueries = ReturnType<typeof trashQueries>;

export interface TrashRow {
  resource: TrashResource;
  id: number;
  userId: number;
}

// Rows of other tables never leave SQL: there may be a hundred thousand of them.

function insertSql({ table, owner, columns, order }: Children): string {
  return `UPDATE removals SET belongings = json_set(belongings, '$.${table}', json((
      SELECT json_group_array(json_array(${columns.join(', ')}))
      FROM (SELECT * FROM ${table} WHERE ${owner} = @id ORDER BY ${order}))))
    WHERE resource = @resource AND record_id = @id`;
}

function restoreSql({ table, owner, columns }: Children): string {
  return `INSERT INTO ${table} (${owner}, ${columns.join(', ')})
    SELECT record_id, ${columns.map((_, index) => `entry.value ->> ${index}`).join(', ')}
    FROM removals, json_each(belongings, '$.${table}') AS entry
    WHERE resource = @resource AND record_id = @id ORDER BY entry.key`;
}
