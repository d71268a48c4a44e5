import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { Page } from '../../platform/http/pagination.ts';

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

/** A change in the history of a link, with whose it is. */
export interface HistoryRow extends ChangedLinkRow {
  created_by: number;
}

/** The maximum number and bytes of changes per link: rules and notes may be large. */
const mostPerLink = 100;
const mostBytesPerLink = 1_000_000;

const ofLinkSql = {
  rows: `SELECT changes.id, action, at, undone_at, link_id, before, after,
      ifnull(changes.created_by, changes.user_id) AS created_by
    FROM changed_links JOIN changes ON changes.id = change_id
    WHERE link_id = @link ORDER BY change_id DESC LIMIT @limit OFFSET @offset`,
  total: 'SELECT count(*) AS total FROM changed_links WHERE link_id = @link',
};

/** The history of a link, read in the reader's thread. */
export function changeLists(reader: Reader) {
  return {
    ofLink: (link: number, page: { limit: number; offset: number }): Promise<Page<HistoryRow>> =>
      reader.page(ofLinkSql, { link, ...page }),
  };
}

export type ChangeLists = ReturnType<typeof changeLists>;

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
  const own = database
    .prepare<[{ id: number; person: number }], number>(
      `SELECT EXISTS (SELECT 1 FROM changes WHERE id = @id AND ifnull(created_by, user_id) = @person)
         AND NOT EXISTS (SELECT 1 FROM changed_links JOIN links ON links.id = link_id
           WHERE change_id = @id AND ifnull(links.created_by, links.user_id) <> @person)`,
    )
    .pluck();
  const linksOf = database.prepare<[number, number, number], ChangedLinkRow>(
    `SELECT changes.id, action, at, undone_at, link_id, before, after
     FROM changed_links JOIN changes ON changes.id = change_id
     WHERE change_id = ? AND link_id > ? ORDER BY link_id LIMIT ?`,
  );
  // Of each link the newest ones stay, as long as they are no more than a few megabytes together.
  const trimLink = database.prepare<{ link: number; most: number; bytes: number }>(
    `DELETE FROM changed_links WHERE link_id = @link AND change_id IN (
       SELECT change_id FROM (
         SELECT change_id, row_number() OVER newest AS place,
           sum(octet_length(before) + octet_length(after)) OVER newest AS bytes
         FROM changed_links WHERE link_id = @link
         WINDOW newest AS (ORDER BY change_id DESC)
       ) WHERE place > @most OR (place > 1 AND bytes > @bytes))`,
  );
  const newestBelow = database.prepare<
    [number, number],
    { id: number; user_id: number; at: number; is_empty: 0 | 1 }
  >(
    `SELECT id, user_id, at, NOT EXISTS (SELECT 1 FROM changed_links WHERE change_id = changes.id)
         AND NOT EXISTS (SELECT 1 FROM moves WHERE change_id = changes.id) AS is_empty
     FROM changes WHERE id < ? ORDER BY id DESC LIMIT ?`,
  );
  const removeLinks = database.prepare<{ id: number; limit: number }>(
    `DELETE FROM changed_links WHERE change_id = @id AND link_id IN (
       SELECT link_id FROM changed_links WHERE change_id = @id LIMIT @limit)`,
  );
  const removeMoved = database.prepare<{ id: number; limit: number }>(
    `DELETE FROM moved_records WHERE id IN (
       SELECT id FROM moved_records WHERE change_id = @id ORDER BY id DESC LIMIT @limit)`,
  );
  const remove = database.prepare<[number]>('DELETE FROM changes WHERE id = ?');
  const removeEmpty = database.prepare<[number]>(
    `DELETE FROM changes WHERE id = ? AND NOT EXISTS (SELECT 1 FROM changed_links WHERE change_id = changes.id)
       AND NOT EXISTS (SELECT 1 FROM bulk_rest WHERE change_id = changes.id)`,
  );
  const markUndone = database.prepare<[number, number]>('UPDATE changes SET undone_at = ? WHERE id = ?');
  return {
    insert: (userId: number, action: string, at: number): number =>
      Number(insert.run(userId, action, at).lastInsertRowid),
    /** Whether a person began a change, and created every link of it. */
    isOwn: (id: number, person: number): boolean => own.get({ id, person }) === 1,
    insertLink(changeId: number, linkId: number, before: object, after: object): void {
      insertLink.run(changeId, linkId, JSON.stringify(before), JSON.stringify(after));
      trimLink.run({ link: linkId, most: mostPerLink, bytes: mostBytesPerLink });
    },
    /** Changes before an id, newest first; `is_empty` if no link's part of it is kept any more. */
    newestBelow: (id: number, limit: number) => newestBelow.all(id, limit),
    /** Deletes a change and a limited number of its links' parts at a time; returns whether it is gone. */
    removeSome(id: number, limit: number): boolean {
      if (removeLinks.run({ id, limit }).changes === limit) return false;
      if (removeMoved.run({ id, limit }).changes === limit) return false;
      remove.run(id);
      return true;
    },
    removeEmpty: (id: number): void => void removeEmpty.run(id),
    find: (id: number, userId: number): ChangeRow | undefined => byId.get(id, userId),
    /** Some links of a change in the order of their ids, after one of these. */
    linksOf: (id: number, after: number, limit: number): ChangedLinkRow[] => linksOf.all(id, after, limit),
    markUndone: (id: number, at: number): void => void markUndone.run(at, id),
  };
}

export type ChangeQueries = ReturnType<typeof changeQueries>;
