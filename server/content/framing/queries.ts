import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { Obstacle } from './policy.ts';

/** What a destination of a link said; moments are UTC milliseconds. */
export interface FramingRow {
  address: string;
  embedder: string;
  /** Null if it could not be checked. */
  verdict: 'allowed' | 'forbidden' | null;
  reason: Obstacle | null;
  checked_at: number;
  due_at: number;
}

const columns = 'address, embedder, verdict, reason, checked_at, due_at';

/** SQL of what destinations say about frames. A link's row goes with the link. */
export function framingQueries(database: Connection) {
  const ofLink = database.prepare<[number], FramingRow>(
    `SELECT ${columns} FROM link_framings WHERE link_id = ? ORDER BY address`,
  );
  const store = database.prepare<[FramingRow & { link: number }]>(
    `INSERT INTO link_framings (link_id, ${columns})
     SELECT @link, @address, @embedder, @verdict, @reason, @checked_at, @due_at
     WHERE EXISTS (SELECT 1 FROM links WHERE id = @link)
     ON CONFLICT (link_id, address) DO UPDATE SET embedder = excluded.embedder, verdict = excluded.verdict,
       reason = excluded.reason, checked_at = excluded.checked_at, due_at = excluded.due_at`,
  );
  const forget = database.prepare<[number, string]>(
    'DELETE FROM link_framings WHERE link_id = ? AND address NOT IN (SELECT value FROM json_each(?))',
  );
  return {
    ofLink: (linkId: number): FramingRow[] => ofLink.all(linkId),
    store: (linkId: number, row: FramingRow): void => void store.run({ ...row, link: linkId }),
    /** Forgets what destinations said that a link no longer has. */
    keepOnly: (linkId: number, addresses: readonly string[]): void =>
      void forget.run(linkId, JSON.stringify(addresses)),
  };
}

export type FramingQueries = ReturnType<typeof framingQueries>;

/** A link is due if it changed since the last check, for example by undo, or if the result is old. */
const dueSql = `
  SELECT id, user_id FROM links INDEXED BY links_not_direct
  WHERE type <> 'direct' AND (type = 'frame' OR type LIKE 'overlay-%') AND id > @after
    AND trashed_at IS NULL AND archived = 0
    AND NOT EXISTS (SELECT 1 FROM link_framings WHERE link_id = links.id
                      AND due_at > @now AND checked_at >= links.updated_at)
  ORDER BY id LIMIT @limit`;

/** Links with a frame that are due, by id from `after` on, read in the reader thread. */
export function dueFramings(reader: Pick<Reader, 'read'>) {
  return async (now: number, after: number, limit: number): Promise<{ id: number; user_id: number }[]> => {
    const [rows = []] = await reader.read([{ sql: dueSql, values: [{ now, after, limit }] }]);
    return rows as unknown as { id: number; user_id: number }[];
  };
}
