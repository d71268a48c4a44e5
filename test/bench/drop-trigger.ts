import type { Connection } from '../../server/platform/database/connect.ts';

/**
 * Drops a trigger that would slow down filling a table. Returns the exact statement that recreates it, because a backup
 * of a database with another schema counts as damaged.
 */
export function dropTrigger(database: Connection, name: string): string {
  const sql = database
    .prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?")
    .pluck()
    .get(name);
  if (sql === undefined) throw new Error(`there is no trigger ${name}`);
  database.exec(`DROP TRIGGER ${name}`);
  return sql;
}
