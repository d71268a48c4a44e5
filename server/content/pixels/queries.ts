import type { PixelType } from '../../contract/pixels.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Page } from '../../platform/http/pagination.ts';

export interface PixelRow {
  id: number;
  type: PixelType;
  name: string;
  tag: string;
  created_at: number;
}

const columns = 'id, type, name, tag, created_at';

/** SQL of pixels. Every statement that a path's id reaches carries the user's id. */
export function pixelQueries(database: Connection) {
  const count = database.prepare<[number], number>('SELECT count(*) FROM pixels WHERE user_id = ?').pluck();
  const list = database.prepare<[number, number, number], PixelRow>(
    `SELECT ${columns} FROM pixels WHERE user_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const all = database.prepare<[number], PixelRow>(
    `SELECT ${columns} FROM pixels WHERE user_id = ? ORDER BY id DESC`,
  );
  const links = database
    .prepare<[{ user: number; id: number }], number>(
      `SELECT id FROM links WHERE user_id = @user AND pixels <> '[]'
         AND EXISTS (SELECT 1 FROM json_each(links.pixels) WHERE value = @id)`,
    )
    .pluck();
  const countLinks = database
    .prepare<[{ user: number; id: number }], number>(
      `SELECT count(*) FROM links WHERE user_id = @user AND pixels <> '[]' AND trashed_at IS NULL
         AND EXISTS (SELECT 1 FROM json_each(links.pixels) WHERE value = @id)`,
    )
    .pluck();
  const reinsert = database.prepare<[PixelRow & { user: number }]>(
    'INSERT INTO pixels (id, user_id, type, name, tag, created_at) VALUES (@id, @user, @type, @name, @tag, @created_at)',
  );
  const attach = database.prepare<[{ user: number; id: number; link: number }]>(
    `UPDATE links SET pixels = json_insert(pixels, '$[#]', @id)
     WHERE id = @link AND user_id = @user AND NOT EXISTS (SELECT 1 FROM json_each(links.pixels) WHERE value = @id)`,
  );
  const byId = database.prepare<[number, number], PixelRow>(
    `SELECT ${columns} FROM pixels WHERE id = ? AND user_id = ?`,
  );
  const insert = database.prepare<[number, string, string, string, number]>(
    'INSERT INTO pixels (user_id, type, name, tag, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const update = database.prepare<[string, string, number]>(
    'UPDATE pixels SET name = ?, tag = ? WHERE id = ?',
  );
  const detach = database.prepare<[{ user: number; id: number }]>(
    `UPDATE links SET pixels = (SELECT json_group_array(value) FROM json_each(links.pixels) WHERE value <> @id)
     WHERE user_id = @user AND pixels <> '[]'
       AND EXISTS (SELECT 1 FROM json_each(links.pixels) WHERE value = @id)`,
  );
  const remove = database.prepare<[number]>('DELETE FROM pixels WHERE id = ?');
  return {
    count: (userId: number): number => count.get(userId) ?? 0,
    list: (userId: number, page: { limit: number; offset: number }): Page<PixelRow> => ({
      rows: list.all(userId, page.limit, page.offset),
      total: count.get(userId) ?? 0,
    }),
    /** Every pixel of an account, newest first. */
    listAll: (userId: number): PixelRow[] => all.all(userId),
    /** How many links load a pixel; those in the trash do not. */
    countLinks: (id: number, userId: number): number => countLinks.get({ user: userId, id }) ?? 0,
    /** Ids of the links that a pixel is on, those in the trash included. */
    listLinkIds: (id: number, userId: number): number[] => links.all({ user: userId, id }),
    /** Puts a removed pixel back under its id and on those of the links that are still there. */
    reinsert(row: PixelRow, userId: number, linkIds: readonly number[]): void {
      reinsert.run({ ...row, user: userId });
      for (const link of linkIds) attach.run({ user: userId, id: row.id, link });
    },
    find: (id: number, userId: number): PixelRow | undefined => byId.get(id, userId),
    insert: (userId: number, type: PixelType, name: string, tag: string, at: number): number =>
      Number(insert.run(userId, type, name, tag, at).lastInsertRowid),
    update: (id: number, name: string, tag: string): void => void update.run(name, tag, id),
    /** Takes the pixel off every link of the account, those in the trash included, and removes it. */
    remove(id: number, userId: number): void {
      detach.run({ user: userId, id });
      remove.run(id);
    },
  };
}

export type PixelQueries = ReturnType<typeof pixelQueries>;
