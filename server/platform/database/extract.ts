import Database from 'better-sqlite3';
import type { Connection } from './connect.ts';

/** A table to copy, and the statement that selects the rows to copy; it refers to tables as `source.…`. */
export interface Extract {
  table: string;
  select: string;
}

/**
 * Copies parts of a database that may be in use into a new file, in one consistent state, from which `read` reads
 * additional data. Writers continue meanwhile.
 */
export function extractTables<Found>(
  file: string,
  target: string,
  extracts: readonly Extract[],
  read: (connection: Connection) => Found,
): Found {
  const connection = new Database(target);
  try {
    connection.pragma('busy_timeout = 5000');
    connection.pragma('trusted_schema = 0');
    // A copy interrupted by a crash is made again.
    connection.pragma('journal_mode = OFF');
    connection.pragma('synchronous = OFF');
    connection.prepare('ATTACH ? AS source').run(file);
    return connection
      .transaction(() => {
        const found = read(connection);
        for (const { table, select } of extracts) connection.exec(copySql({ table, select }));
        return found;
      })
      .deferred();
  } finally {
    connection.close();
  }
}

const copySql = ({ table, select }: Extract) => `CREATE TABLE main.${table} AS ${select}`;
