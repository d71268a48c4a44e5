import type { Connection } from '../../platform/database/connect.ts';
import { publicTable, publicTables } from './public-tables.ts';

/**
 * Records which public rows every statement of this connection changes, in the transaction of the change. Uses
 * temporary triggers: without a fleet there are none, and no cost.
 */
export function captureChanges(database: Connection): void {
  for (const table of Object.keys(publicTables)) database.exec(captureSql(table));
}

function captureSql(table: string): string {
  const { key, columns, only } = publicTable(table);
  const note = (row: 'new' | 'old') =>
    `INSERT INTO fleet_changes (record, key) VALUES ('${table}', json_array(${of(row, key)}));`;
  const named = new RegExp(`\\b(${columns.join('|')})\\b`, 'g');
  const isPublic = (row: 'new' | 'old') =>
    only === undefined ? 'true' : only.replaceAll(named, `${row}.$1`);
  return `
      CREATE TEMP TRIGGER IF NOT EXISTS fleet_${table}_insert AFTER INSERT ON main.${table}
      WHEN ${isPublic('new')} BEGIN ${note('new')} END;
      CREATE TEMP TRIGGER IF NOT EXISTS fleet_${table}_delete AFTER DELETE ON main.${table}
      WHEN ${isPublic('old')} BEGIN ${note('old')} END;
      CREATE TEMP TRIGGER IF NOT EXISTS fleet_${table}_update AFTER UPDATE OF ${columns.join(', ')} ON main.${table}
      WHEN (${of('new', columns)}) IS NOT (${of('old', columns)}) AND (${isPublic('new')} OR ${isPublic('old')}) BEGIN
        ${note('old')}
        INSERT INTO fleet_changes (record, key)
          SELECT '${table}', json_array(${of('new', key)}) WHERE (${of('new', key)}) IS NOT (${of('old', key)});
      END;`;
}

/** Writes nothing down any more. */
export function stopCapture(database: Connection): void {
  for (const table of Object.keys(publicTables)) {
    for (const event of ['insert', 'delete', 'update']) {
      database.exec(dropSql(table, event));
    }
  }
}

const dropSql = (table: string, event: string) => `DROP TRIGGER IF EXISTS temp.fleet_${table}_${event}`;

function of(row: 'new' | 'old', columns: readonly string[]): string {
  return columns.map((column) => `${row}.${column}`).join(', ');
}
