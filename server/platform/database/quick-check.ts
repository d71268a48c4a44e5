import type { Connection } from './connect.ts';
import { isDamage } from './refused.ts';

/**
 * What SQLite finds wrong with a database as a whole; undefined when it is sound. Reads all of it: 12 s for each
 * gigabyte.
 */
export function findFaultAtOnce(connection: Connection): string | undefined {
  return firstFault(() => connection.pragma('quick_check(1)', { simple: true }));
}

/**
 * The same, a table at a time: a reader that stays in one state of the database for half a minute would keep the
 * write-ahead log from being written back for as long.
 */
export function findFaultByTable(connection: Connection): string | undefined {
  const tables: string[] = [];
  const unreadable = firstFault(() => {
    tables.push(
      ...connection
        .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .pluck()
        .all(),
    );
    return 'ok';
  });
  if (unreadable !== undefined) return unreadable;
  for (const table of tables) {
    // A name cannot be bound; it is quoted as SQLite itself would.
    const quoted = `"${table.replaceAll('"', '""')}"`;
    const fault = firstFault(() => connection.pragma(`quick_check(${quoted})`, { simple: true }));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function firstFault(check: () => unknown): string | undefined {
  try {
    const verdict = check();
    return verdict === 'ok' ? undefined : String(verdict);
  } catch (error) {
    // The check itself gives up where a page that it needs to go on is noise.
    if (isDamage(error)) return error.message;
    throw error;
  }
}
