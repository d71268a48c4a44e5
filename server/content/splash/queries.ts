import type { Connection } from '../../platform/database/connect.ts';
import type { Page } from '../../platform/http/pagination.ts';
import { caseFold } from '../../platform/text/case-fold.ts';

/** What can be set on a custom splash page. */
export interface SplashRecord {
  name: string;
  title: string | null;
  message: string | null;
  product: string | null;
  avatar: string | null;
  banner: string | null;
  counter: number;
}

export interface SplashRow extends SplashRecord {
  id: number;
  created_at: number;
  /** Links that it stands before. */
  links: number;
}

const columns = `id, name, title, message, product, avatar, banner, counter, created_at,
  (SELECT count(*) FROM links WHERE links.user_id = splash_pages.user_id AND links.type <> 'direct'
     AND links.type = CAST(splash_pages.id AS TEXT) AND trashed_at IS NULL) AS links`;
const matches = 'user_id = @user AND (@ids IS NULL OR id IN (SELECT value FROM json_each(@ids)))';

/** SQL of custom splash pages. Every statement that a path's id reaches carries the user's id. */
export function splashQueries(database: Connection) {
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM splash_pages WHERE user_id = ?')
    .pluck();
  const list = database.prepare<[Record<string, unknown>], SplashRow>(
    `SELECT ${columns} FROM splash_pages WHERE ${matches} ORDER BY id DESC LIMIT @limit OFFSET @offset`,
  );
  const countMatches = database
    .prepare<[Record<string, unknown>], number>(`SELECT count(*) FROM splash_pages WHERE ${matches}`)
    .pluck();
  const names = database.prepare<[number], { id: number; name: string; title: string | null }>(
    'SELECT id, name, title FROM splash_pages WHERE user_id = ?',
  );
  const byId = database.prepare<[number, number], SplashRow>(
    `SELECT ${columns} FROM splash_pages WHERE id = ? AND user_id = ?`,
  );
  const insert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO splash_pages (user_id, name, title, message, product, avatar, banner, counter, created_at)
     VALUES (@user, @name, @title, @message, @product, @avatar, @banner, @counter, @at)`,
  );
  const reinsert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO splash_pages (id, user_id, name, title, message, product, avatar, banner, counter, created_at)
     VALUES (@id, @user, @name, @title, @message, @product, @avatar, @banner, @counter, @created_at)`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    `UPDATE splash_pages SET name = @name, title = @title, message = @message, product = @product,
       avatar = @avatar, banner = @banner, counter = @counter
     WHERE id = @id`,
  );
  const remove = database.prepare<[number]>('DELETE FROM splash_pages WHERE id = ?');
  return {
    count: (userId: number): number => count.get(userId) ?? 0,
    /** `q` is a part of the name or the title, without regard to case. */
    list(userId: number, q: string | undefined, page: { limit: number; offset: number }): Page<SplashRow> {
      const part = q === undefined ? undefined : caseFold(q);
      const has = (text: string | null) => text !== null && caseFold(text).includes(part ?? '');
      const found =
        part === undefined ? null : names.all(userId).filter((row) => has(row.name) || has(row.title));
      const bound = { user: userId, ids: found && JSON.stringify(found.map(({ id }) => id)) };
      return { rows: list.all({ ...bound, ...page }), total: countMatches.get(bound) ?? 0 };
    },
    find: (id: number, userId: number): SplashRow | undefined => byId.get(id, userId),
    insert: (userId: number, record: SplashRecord, at: number): number =>
      Number(insert.run({ ...record, user: userId, at }).lastInsertRowid),
    update: (id: number, record: SplashRecord): void => void update.run({ ...record, id }),
    remove: (id: number): void => void remove.run(id),
    /** Puts a page that was removed back under its id. */
    reinsert: (row: SplashRow, user: number): void => void reinsert.run({ ...row, user }),
  };
}

export type SplashQueries = ReturnType<typeof splashQueries>;
