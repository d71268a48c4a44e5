import type { Connection } from '../database/connect.ts';
import type { Page } from '../http/pagination.ts';

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
}

const columns = 'id, name, title, message, product, avatar, banner, counter, created_at';

/** SQL of custom splash pages. Every statement that a path's id reaches carries the user's id. */
export function splashQueries(database: Connection) {
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM splash_pages WHERE user_id = ?')
    .pluck();
  const list = database.prepare<[number, number, number], SplashRow>(
    `SELECT ${columns} FROM splash_pages WHERE user_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const byId = database.prepare<[number, number], SplashRow>(
    `SELECT ${columns} FROM splash_pages WHERE id = ? AND user_id = ?`,
  );
  const insert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO splash_pages (user_id, name, title, message, product, avatar, banner, counter, created_at)
     VALUES (@user, @name, @title, @message, @product, @avatar, @banner, @counter, @at)`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    `UPDATE splash_pages SET name = @name, title = @title, message = @message, product = @product,
       avatar = @avatar, banner = @banner, counter = @counter
     WHERE id = @id`,
  );
  const detach = database.prepare<[number, string]>(
    `UPDATE links SET type = 'direct' WHERE user_id = ? AND type = ? AND type <> 'direct'`,
  );
  const remove = database.prepare<[number]>('DELETE FROM splash_pages WHERE id = ?');
  return {
    count: (userId: number): number => count.get(userId) ?? 0,
    list: (userId: number, page: { limit: number; offset: number }): Page<SplashRow> => ({
      rows: list.all(userId, page.limit, page.offset),
      total: count.get(userId) ?? 0,
    }),
    find: (id: number, userId: number): SplashRow | undefined => byId.get(id, userId),
    insert: (userId: number, record: SplashRecord, at: number): number =>
      Number(insert.run({ ...record, user: userId, at }).lastInsertRowid),
    update: (id: number, record: SplashRecord): void => void update.run({ ...record, id }),
    /** Lets its links lead straight to their destinations, and removes the page. */
    remove(id: number, userId: number): void {
      detach.run(userId, String(id));
      remove.run(id);
    },
  };
}

export type SplashQueries = ReturnType<typeof splashQueries>;
