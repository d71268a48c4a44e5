import type { OverlayType } from '../contract/overlays.ts';
import type { Connection } from '../database/connect.ts';
import type { Page } from '../http/pagination.ts';

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
}

/** What was sent to an overlay, how often, and when last (UTC milliseconds). */
export interface AnswerRow {
  value: string;
  count: number;
  at: number;
}

const columns = 'id, name, type, position, colors, content, created_at';

/** SQL of CTA overlays. Every statement that a path's id reaches carries the user's id. */
export function overlayQueries(database: Connection) {
  const count = database.prepare<[number], number>('SELECT count(*) FROM overlays WHERE user_id = ?').pluck();
  const list = database.prepare<[number, number, number], OverlayRow>(
    `SELECT ${columns} FROM overlays WHERE user_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const byId = database.prepare<[number, number], OverlayRow>(
    `SELECT ${columns} FROM overlays WHERE id = ? AND user_id = ?`,
  );
  const insert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO overlays (user_id, name, type, position, colors, content, created_at)
     VALUES (@user, @name, @type, @position, @colors, @content, @at)`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    `UPDATE overlays SET name = @name, type = @type, position = @position, colors = @colors, content = @content
     WHERE id = @id`,
  );
  const detach = database.prepare<[number, string]>(
    `UPDATE links SET type = 'direct' WHERE user_id = ? AND type = ? AND type <> 'direct'`,
  );
  const answers = database.prepare<[number, number, number], AnswerRow>(
    `SELECT value, count(*) AS count, max(at) AS at FROM overlay_answers WHERE overlay_id = ?
     GROUP BY value ORDER BY at DESC, value LIMIT ? OFFSET ?`,
  );
  const countAnswers = database
    .prepare<[number], number>('SELECT count(DISTINCT value) FROM overlay_answers WHERE overlay_id = ?')
    .pluck();
  const remove = database.prepare<[number]>('DELETE FROM overlays WHERE id = ?');
  return {
    count: (userId: number): number => count.get(userId) ?? 0,
    list: (userId: number, page: { limit: number; offset: number }): Page<OverlayRow> => ({
      rows: list.all(userId, page.limit, page.offset),
      total: count.get(userId) ?? 0,
    }),
    find: (id: number, userId: number): OverlayRow | undefined => byId.get(id, userId),
    listAnswers: (id: number, page: { limit: number; offset: number }): Page<AnswerRow> => ({
      rows: answers.all(id, page.limit, page.offset),
      total: countAnswers.get(id) ?? 0,
    }),
    insert: (userId: number, record: OverlayRecord, at: number): number =>
      Number(insert.run({ ...record, user: userId, at }).lastInsertRowid),
    update: (id: number, record: OverlayRecord): void => void update.run({ ...record, id }),
    /** Lets its links lead straight to their destinations, and removes the overlay. */
    remove(id: number, userId: number): void {
      detach.run(userId, `overlay-${id}`);
      remove.run(id);
    },
  };
}

export type OverlayQueries = ReturnType<typeof overlayQueries>;
