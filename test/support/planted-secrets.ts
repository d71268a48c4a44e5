import { privateTables, publicTables } from '../../server/network/fleet/public-tables.ts';
import type { Connection } from '../../server/platform/database/connect.ts';

interface Column {
  name: string;
  type: string;
  notnull: 0 | 1;
  dflt_value: string | null;
  pk: number;
}

/** The prefix of every planted value. */
export const marker = 'planted-secret';

/** Names of the tables of a database that hold records. */
export const tablesOf = (database: Connection) =>
  database
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'links_search%'
       AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
    )
    .pluck()
    .all();

export const columnsOf = (database: Connection, table: string) =>
  database.prepare<[string], Column>('SELECT * FROM pragma_table_info(?)').all(table);

/** Private text columns of public tables, by table. */
const hiddenTexts = (database: Connection): [table: string, columns: string[]][] =>
  Object.entries(publicTables).map(([table, { hidden }]) => [
    table,
    columnsOf(database, table)
      .filter(
        ({ name, type, pk }) => hidden.includes(name) && pk === 0 && (type === 'TEXT' || type === 'BLOB'),
      )
      .map(({ name }) => name),
  ]);

/** The same as `table.column`. */
export const hiddenColumns = (database: Connection): string[] =>
  hiddenTexts(database).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`));

/** Row types that replicas accept. */
const acceptedTypes: Readonly<Record<string, string>> = { overlays: 'message', qr_codes: 'text' };

/** Adds a row to each table that has none and of which texts stay at the origin: secrets are planted in rows. */
export function fillTables(database: Connection): void {
  database.pragma('foreign_keys = 0');
  for (const [table, texts] of hiddenTexts(database)) {
    if (texts.length === 0 || database.prepare(`SELECT 1 FROM ${table}`).get() !== undefined) continue;
    const given = columnsOf(database, table).filter(
      ({ notnull, dflt_value, pk }) => pk > 0 || (notnull === 1 && dflt_value === null),
    );
    const names = given.map(({ name }) => name).join(', ');
    // An empty list, for triggers that read JSON.
    const values = given.map(({ name, type }) =>
      type === 'TEXT' ? `'${(name === 'type' && acceptedTypes[table]) || '[]'}'` : '1',
    );
    database.exec(`INSERT INTO ${table} (${names}) VALUES (${values.join(', ')})`);
  }
}

/**
 * Writes a recognizable value into each text and binary column that edges must not have; returns their names. `spared`
 * tables are not changed.
 */
export function plantSecrets(database: Connection, spared?: RegExp): string[] {
  database.pragma('ignore_check_constraints = 1');
  database.pragma('foreign_keys = 0');
  // Of settings, rows are public and not columns.
  database.exec(`INSERT OR REPLACE INTO settings (name, value) VALUES ('planted', '"${marker}-settings"')`);
  const planted: string[] = [];
  for (const table of tablesOf(database).filter((name) => !spared?.test(name))) {
    const open = publicTables[table]?.columns ?? [];
    for (const { name, type, pk } of columnsOf(database, table)) {
      if (open.includes(name) || pk > 0 || (type !== 'TEXT' && type !== 'BLOB')) continue;
      const text = `'${marker}-${table}-${name}-' || hex(randomblob(4))`;
      const value = type === 'BLOB' ? `CAST(${text} AS BLOB)` : text;
      try {
        const { changes } = database.prepare(`UPDATE OR IGNORE ${table} SET ${name} = ${value}`).run();
        if (changes > 0) planted.push(`${table}.${name}`);
      } catch (error) {
        // A table without row ids, or one whose triggers read the column as JSON: it stays as a whole at the origin.
        if (!privateTables.includes(table)) throw error;
      }
    }
  }
  return planted;
}
