import type { OverlayType } from '../../contract/overlays.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import { caseFold } from '../../platform/text/case-fold.ts';

/** What can be set on an overlay; colors and content are JSON. */
export interface OverlayRecord {
  name: string;
  type: OverlayType;
  position: string;
  colors: string;
  content: string;
}

export interface OverlayRow extends OverlayRecord {
  id: number;
  created_at: number;
  /** When it last reached a limit of what visitors send (`formBounds`). */
  limited_at: number | null;
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
}

/** Links that use an overlay, and the number of its entries. */
export interface OverlayCounts {
  links: number;
  answers: number;
}

export interface OverlayFilter {
  /** Part of the name, without regard to case. */
  q?: string | undefined;
  type?: string | undefined;
}

/** What was sent to an overlay, how often, and when last (UTC milliseconds). */
export interface AnswerRow {
  value: string;
  count: number;
  at: number;
}

/** One thing that one visitor sent. */
export interface SingleAnswerRow {
  id: number;
  value: string;
  at: number;
}

const columns =
  'id, name, type, position, colors, content, created_at, limited_at, version, created_by, updated_by';
/** There may be a hundred thousand of both: only the reader's thread counts them. */
const counts = `(SELECT count(*) FROM links WHERE links.user_id = overlays.user_id AND links.type <> 'direct'
     AND links.type = 'overlay-' || overlays.id AND (links.trashed_at IS NULL) = 1) AS links,
  (SELECT count(*) FROM overlay_answers WHERE overlay_id = overlays.id)
    + (SELECT coalesce(sum(votes), 0) FROM overlay_past_votes WHERE overlay_id = overlays.id) AS answers`;
/** What was sent, with the votes of polls whose single answers were removed. */
const answersAndPast = `SELECT value, 1 AS votes, at FROM overlay_answers WHERE overlay_id = @id
  UNION ALL SELECT value, votes, at FROM overlay_past_votes WHERE overlay_id = @id`;
const matches = `user_id = @user AND leaving = 0 AND (@type IS NULL OR type = @type)
  AND (@ids IS NULL OR id IN (SELECT value FROM json_each(@ids)))
  AND (@member IS NULL OR ifnull(created_by, user_id) = @member)`;

const countsSql = `SELECT ${counts} FROM overlays WHERE id = @id`;
const listSql = {
  rows: `SELECT ${columns}, ${counts} FROM overlays WHERE ${matches} ORDER BY id DESC LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM overlays WHERE ${matches}`,
};
const namesSql = 'SELECT id, name FROM overlays WHERE user_id = ? AND leaving = 0';
const answersSql = {
  rows: `SELECT value, sum(votes) AS count, max(at) AS at FROM (${answersAndPast})
    GROUP BY value ORDER BY max(at) DESC, value LIMIT @limit OFFSET @offset`,
  total: `SELECT count(DISTINCT value) AS total FROM (${answersAndPast})`,
};

/** Of an export: with their longest texts a piece of it is some hundred kilobytes. */
const exportedAtOnce = 100;
const exportSql = `SELECT id, value, at FROM overlay_answers WHERE overlay_id = @overlay AND id > @after
  ORDER BY id LIMIT ${exportedAtOnce}`;

/** The lists of overlays and their entries, and their counts, read in the reader thread. */
export function overlayLists(reader: Reader) {
  return {
    async list(
      user: number,
      { q, type }: OverlayFilter,
      page: ListPage,
    ): Promise<Page<OverlayRow & OverlayCounts>> {
      const ids = q === undefined ? null : await idsNamed(user, caseFold(q));
      return reader.page(listSql, { user, type: type ?? null, ids, ...page });
    },
    listAnswers: (id: number, page: { limit: number; offset: number }): Promise<Page<AnswerRow>> =>
      reader.page(answersSql, { id, ...page }),
    /** Some entries after an id, in order of arrival; empty if there are no more. */
    async answersAfter(overlay: number, after: number): Promise<SingleAnswerRow[]> {
      const [rows = []] = await reader.read([{ sql: exportSql, values: [{ overlay, after }] }]);
      return rows as unknown as SingleAnswerRow[];
    },
    /** None once it is deleted. */
    async countsOf(id: number): Promise<OverlayCounts> {
      const [[counted] = []] = await reader.read([{ sql: countsSql, values: [{ id }] }]);
      return { links: Number(counted?.links ?? 0), answers: Number(counted?.answers ?? 0) };
    },
  };

  /** As JSON; names are not stored folded. */
  async function idsNamed(user: number, part: string): Promise<string> {
    const [names = []] = await reader.read([{ sql: namesSql, values: [user] }]);
    const found = names.filter(({ name }) => caseFold(String(name)).includes(part));
    return JSON.stringify(found.map(({ id }) => id));
  }
}

export type OverlayLists = ReturnType<typeof overlayLists>;

/** SQL of CTA overlays. Every statement that a path's id reaches carries the user's id. */
export function overlayQueries(database: Connection) {
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM overlays WHERE user_id = ? AND leaving = 0')
    .pluck();
  const byId = database.prepare<[number, number], OverlayRow>(
    `SELECT ${columns} FROM overlays WHERE id = ? AND user_id = ? AND leaving = 0`,
  );
  const insert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO overlays (user_id, name, type, position, colors, content, created_at)
     VALUES (@user, @name, @type, @position, @colors, @content, @at)`,
  );
  const reinsert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO overlays (id, user_id, name, type, position, colors, content, created_at)
     VALUES (@id, @user, @name, @type, @position, @colors, @content, @created_at)`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    `UPDATE overlays SET name = @name, type = @type, position = @position, colors = @colors, content = @content
     WHERE id = @id`,
  );
  const remove = database.prepare<[number]>('DELETE FROM overlays WHERE id = ?');
  return {
    count: (userId: number): number => count.get(userId) ?? 0,
    find: (id: number, userId: number): OverlayRow | undefined => byId.get(id, userId),
    insert: (userId: number, record: OverlayRecord, at: number): number =>
      Number(insert.run({ ...record, user: userId, at }).lastInsertRowid),
    update: (id: number, record: OverlayRecord): void => void update.run({ ...record, id }),
    remove: (id: number): void => void remove.run(id),
    /** Puts an overlay that was removed back under its id. */
    reinsert: (row: OverlayRow, user: number): void => void reinsert.run({ ...row, user }),
  };
}

export type OverlayQueries = ReturnType<typeof overlayQueries>;
