import type { BulkAction } from '../../contract/links.ts';
import type { Connection } from '../../platform/database/connect.ts';

/** A marker while the parts are still being written: an incomplete action is not resumed. */
export const unfinished = -1;

/** A few links of a bulk action that are still to be done. */
export interface BulkPart {
  changeId: number;
  part: number;
  userId: number;
  action: BulkAction;
  value: string | number | null | undefined;
  ids: number[];
}

interface PartRow {
  change_id: number;
  part: number;
  user_id: number;
  action: BulkAction;
  value: string;
  link_ids: string;
}

/** SQL of unfinished bulk actions. */
export function bulkQueries(database: Connection) {
  const insert = database.prepare<[number, number, number, string, string, string]>(
    'INSERT INTO bulk_rest (change_id, part, user_id, action, value, link_ids) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare<[number, number]>('DELETE FROM bulk_rest WHERE change_id = ? AND part = ?');
  const removeFirst = database.prepare<[number, number]>(
    "UPDATE bulk_rest SET link_ids = json_remove(link_ids, '$[0]') WHERE change_id = ? AND part = ?",
  );
  const removeSome = database.prepare<[number]>(
    `DELETE FROM bulk_rest WHERE (change_id, part) IN (
       SELECT change_id, part FROM bulk_rest WHERE change_id = ? ORDER BY part DESC LIMIT 50)`,
  );
  const next = database.prepare<[number], PartRow>(
    'SELECT * FROM bulk_rest WHERE change_id > ? ORDER BY change_id, part LIMIT 1',
  );
  return {
    insert: ({ changeId, part, userId, action, value = null, ids }: BulkPart): void =>
      void insert.run(changeId, part, userId, action, JSON.stringify(value), JSON.stringify(ids)),
    remove: (changeId: number, part: number): void => void remove.run(changeId, part),
    /** Forgets the first link of a part. */
    removeFirst: (changeId: number, part: number): void => void removeFirst.run(changeId, part),
    /** Deletes some of an action's remaining parts, the last ones first; false when none is left. */
    removeSome: (changeId: number): boolean => removeSome.run(changeId).changes > 0,
    /** The first part of the first action after this one that has any. */
    next(after: number): BulkPart | undefined {
      const row = next.get(after);
      return (
        row && {
          changeId: row.change_id,
          part: row.part,
          userId: row.user_id,
          action: row.action,
          value: JSON.parse(row.value) as BulkPart['value'],
          ids: JSON.parse(row.link_ids) as number[],
        }
      );
    },
  };
}

export type BulkQueries = ReturnType<typeof bulkQueries>;
