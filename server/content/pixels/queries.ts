import type { PixelType } from '../../contract/pixels.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import { entriesSql } from '../../platform/text/stored-json.ts';

export interface PixelRow {
  id: number;
  type: PixelType;
  name: string;
  tag: string;
  created_at: number;
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
}

const columns = 'id, type, name, tag, created_at, version, created_by, updated_by';
const matches = `user_id = @user AND leaving = 0 AND (@member IS NULL OR ifnull(created_by, user_id) = @member)`;

const allSql = `SELECT ${columns} FROM pixels WHERE ${matches} ORDER BY id DESC`;
const listSql = {
  rows: `${allSql} LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM pixels WHERE ${matches}`,
};
const linksSql = `SELECT count(*) AS links FROM links WHERE user_id = @user AND pixels <> '[]' AND trashed_at IS NULL
  AND EXISTS (SELECT 1 FROM ${entriesSql('links.pixels')} WHERE value = @id)`;

/** The lists of pixels, read in the reader's thread. */
export function pixelLists(reader: Reader) {
  return {
    list: (user: number, page: ListPage): Promise<Page<PixelRow>> => reader.page(listSql, { user, ...page }),
    /** Every pixel of an account, newest first. */
    async listAll(user: number, member: number | null): Promise<PixelRow[]> {
      const [rows = []] = await reader.read([{ sql: allSql, values: [{ user, member }] }]);
      return rows as unknown as PixelRow[];
    },
    /** How many links load a pixel; those in the trash do not. */
    async countLinks(id: number, user: number): Promise<number> {
      const [[counted] = []] = await reader.read([{ sql: linksSql, values: [{ user, id }] }]);
      return Number(counted?.links ?? 0);
    },
  };
}

export type PixelLists = ReturnType<typeof pixelLists>;

/** SQL of pixels. Every statement that a path's id reaches carries the user's id. */
export function pixelQueries(database: Connection) {
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM pixels WHERE user_id = ? AND leaving = 0')
    .pluck();
  const reinsert = database.prepare<[PixelRow & { user: number }]>(
    'INSERT INTO pixels (id, user_id, type, name, tag, created_at) VALUES (@id, @user, @type, @name, @tag, @created_at)',
  );
  const byId = database.prepare<[number, number], PixelRow>(
    `SELECT ${columns} FROM pixels WHERE id = ? AND user_id = ? AND leaving = 0`,
  );
  const insert = database.prepare<[number, string, string, string, number]>(
    'INSERT INTO pixels (user_id, type, name, tag, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const update = database.prepare<[string, string, number]>(
    'UPDATE pixels SET name = ?, tag = ? WHERE id = ?',
  );
  const remove = database.prepare<[number]>('DELETE FROM pixels WHERE id = ?');
  return {
    count: (userId: number): number => count.get(userId) ?? 0,
    /** Puts a removed pixel back under its id. */
    reinsert: (row: PixelRow, userId: number): void => void reinsert.run({ ...row, user: userId }),
    find: (id: number, userId: number): PixelRow | undefined => byId.get(id, userId),
    insert: (userId: number, type: PixelType, name: string, tag: string, at: number): number =>
      Number(insert.run(userId, type, name, tag, at).lastInsertRowid),
    update: (id: number, name: string, tag: string): void => void update.run(name, tag, id),
    remove: (id: number): void => void remove.run(id),
  };
}

export type PixelQueries = ReturnType<typeof pixelQueries>;
