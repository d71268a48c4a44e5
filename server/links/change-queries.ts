import type { Connection } from '../database/connect.ts';
import type { Page } from '../http/pagination.ts';

export interface ChangeRow {
  id: number;
  action: string;
  at: number;
  undone_at: number | null;
}

export interface ChangedLinkRow extends ChangeRow {
  link_id: number;
  before: string;
  after: string;
}

/** SQL of the history of links. */
export function changeQueries(database: Connection) {
  const insert = database.prepare<[number, string, number]>(
    'INSERT INTO changes (user_id, action, at) VALUES (?, ?, ?)',
  );
  const insertLink = database.prepare<[number, number, string, string]>(
    'INSERT INTO changed_links (change_id, link_id, before, after) VALUES (?, ?, ?, ?)',
  );
  const byId = database.prepare<[number, number], ChangeRow>(
    'SELECT id, action, at, undone_at FROM changes WHERE id = ? AND user_id = ?',
  );
  const linksOf = database.prepare<[number, number, number], ChangedLinkRow>(
    `SELECT changes.id, action, at, undone_at, link_id, before, after
     FROM changed_links JOIN changes ON changes.id = change_id
     WHERE change_id = ? AND link_id > ? ORDER BY link_id LIMIT ?`,
  );
  const ofLink = database.prepare<[number, number, number], ChangedLinkRow>(
    `SELECT changes.id, action, at, undone_at, link_id, before, after
     FROM changed_links JOIN changes ON changes.id = change_id
     WHERE link_id = ? ORDER BY change_id DESC LIMIT ? OFFSET ?`,
  );
  const countOfLink = database.prepare<[number], { total: number }>(
    'SELECT count(*) AS total FROM changed_links WHERE link_id = ?',
  );
  const markUndone = database.prepare<[number, number]>('UPDATE changes SET undone_at = ? WHERE id = ?');
  return {
    insert: (userId: number, action: string, at: number): number =>
      Number(insert.run(userId, action, at).lastInsertRowid),
    insertLink: (changeId: number, linkId: number, before: object, after: object): void =>
      void insertLink.run(changeId, linkId, JSON.stringify(before), JSON.stringify(after)),
    find: (id: number, userId: number): ChangeRow | undefined => byId.get(id, userId),
    /** Some links of a change in the order of their ids, after one of these. */
    linksOf: (id: number, after: number, limit: number): ChangedLinkRow[] => linksOf.all(id, after, limit),
    ofLink: (linkId: number, limit: number, offset: number): Page<ChangedLinkRow> => ({
      rows: ofLink.all(linkId, limit, offset),
      total: countOfLink.get(linkId)?.total ?? 0,
    }),
    markUndone: (id: number, at: number): void => void markUndone.run(at, id),
  };
}

export type ChangeQueries = ReturnType<typeof changeQueries>;
