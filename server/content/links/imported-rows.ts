import { createHash } from 'node:crypto';
import type { Connection } from '../../platform/database/connect.ts';

const storedBytes = 16;

/**
 * Remembers which row of an import made a link, for as long as the link is there: a row whose answer was lost is sent
 * again and has no alias to be known by.
 */
export function importedRows(database: Connection) {
  const find = database
    .prepare<[number, Buffer], number>('SELECT link_id FROM imported_rows WHERE user_id = ? AND token = ?')
    .pluck();
  const note = database.prepare<[number, number, Buffer]>(
    'INSERT OR REPLACE INTO imported_rows (link_id, user_id, token) VALUES (?, ?, ?)',
  );
  return {
    linkOf: (userId: number, token: string): number | undefined => find.get(userId, stored(token)),
    note: (userId: number, token: string, linkId: number): void =>
      void note.run(linkId, userId, stored(token)),
  };
}

export type ImportedRows = ReturnType<typeof importedRows>;

function stored(token: string): Buffer {
  return createHash('sha256').update(token).digest().subarray(0, storedBytes);
}
