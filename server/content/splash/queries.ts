import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
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
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
}

/** One in a list, or on its page. */
export interface CountedSplashRow extends SplashRow {
  /** Links that use it. */
  links: number;
}

const columns =
  'id, name, title, message, product, avatar, banner, counter, created_at, version, created_by, updated_by';
/** There may be a hundred thousand: only the reader's thread counts them. */
const links = `(SELECT count(*) FROM links WHERE links.user_id = splash_pages.user_id AND links.type <> 'direct'
     AND links.type = CAST(splash_pages.id AS TEXT) AND (links.trashed_at IS NULL) = 1) AS links`;
const matches = `user_id = @user AND leaving = 0 AND (@ids IS NULL OR id IN (SELECT value FROM json_each(@ids)))
  AND (@member IS NULL OR ifnull(created_by, user_id) = @member)`;

const linksSql = `SELECT ${links} FROM splash_pages WHERE id = @id`;
const listSql = {
  rows: `SELECT ${columns}, ${links} FROM splash_pages WHERE ${matches} ORDER BY id DESC LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM splash_pages WHERE ${matches}`,
};
const namesSql = 'SELECT id, name, title FROM splash_pages WHERE user_id = ? AND leaving = 0';

/** The list of splash pages, and their counts, read in the reader thread. */
export function splashLists(reader: Reader) {
  return {
    /** `q` is a part of the name or the title, without regard to case. */
    async list(user: number, q: string | undefined, page: ListPage): Promise<Page<CountedSplashRow>> {
      const ids = q === undefined ? null : await idsNamed(user, caseFold(q));
      return reader.page(listSql, { user, ids, ...page });
    },
    /** How many links use a page. */
    async countLinks(id: number): Promise<number> {
      const [[counted] = []] = await reader.read([{ sql: linksSql, values: [{ id }] }]);
      return Number(counted?.links ?? 0);
    },
  };

  /** As JSON; names are not stored folded. */
  async function idsNamed(user: number, part: string): Promise<string> {
    const [names = []] = await reader.read([{ sql: namesSql, values: [user] }]);
    const found = names.filter((row) =>
      [row.name, row.title].some((text) => caseFold(String(text ?? '')).includes(part)),
    );
    return JSON.stringify(found.map(({ id }) => id));
  }
}

export type SplashLists = ReturnType<typeof splashLists>;

/** SQL of custom splash pages. Every statement that a path's id reaches carries the user's id. */
export function splashQueries(database: Connection) {
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM splash_pages WHERE user_id = ? AND leaving = 0')
    .pluck();
  const byId = database.prepare<[number, number], SplashRow>(
    `SELECT ${columns} FROM splash_pages WHERE id = ? AND user_id = ? AND leaving = 0`,
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
