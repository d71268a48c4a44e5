import type { Connection } from '../database/connect.ts';

export type RemovedResource = 'campaigns' | 'channels' | 'pixels';

/** SQL of what was deleted and can still be brought back. Everything runs inside a transaction of the caller. */
export function removalQueries(database: Connection) {
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
  const removeBefore = database.prepare<[number]>('DELETE FROM removals WHERE removed_at < ?');
  return {
    insert: (resource: RemovedResource, id: number, userId: number, content: string, at: number): void =>
      void insert.run(resource, id, userId, content, at),
    find: (resource: RemovedResource, id: number, userId: number, since: number): string | undefined =>
      find.get(resource, id, userId, since),
    remove: (resource: RemovedResource, id: number): void => void remove.run(resource, id),
    removeBefore: (moment: number): void => void removeBefore.run(moment),
  };
}

export type RemovalQueries = ReturnType<typeof removalQueries>;
