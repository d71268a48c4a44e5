import type { Connection } from '../../platform/database/connect.ts';

/** SQL of the query parameters that accounts have counted. */
export function parameterQueries(database: Connection) {
  const find = database.prepare<[number], string | null>('SELECT parameters FROM users WHERE id = ?').pluck();
  const update = database.prepare<[string | null, number]>('UPDATE users SET parameters = ? WHERE id = ?');
  return {
    find: (userId: number): string | null => find.get(userId) ?? null,
    update: (userId: number, names: string | null) => void update.run(names, userId),
  };
}
