import type { Connection } from './connect.ts';
import { isDamage } from './refused.ts';

/** SQLite's integrity errors for the whole database; undefined if it is intact. Reads all of it: 12 s per gigabyte. */
export function findFaultAtOnce(connection: Connection): string | undefined {
  return firstFault(() => connection.pragma('quick_check(1)', { simple: true }));
}

/**
 * The same, one table at a time: a reader that keeps one state of the database for half a minute would block writing
 * back the write-ahead log for as long.
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
    // The check itself fails if a page that it needs is corrupt.
    if (isDamage(error)) return error.message;
    throw error;
  }
}
