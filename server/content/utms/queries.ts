import type { UtmValues } from '../../contract/utms.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { Page } from '../../platform/http/pagination.ts';
import { caseFold } from '../../platform/text/case-fold.ts';

export interface UtmRow extends UtmValues {
  id: number;
  name: string;
  version: number;
}

const columns = 'id, name, source, medium, campaign, term, content, version';
const listSql = {
  rows: `SELECT ${columns} FROM utm_templates WHERE user_id = @user ORDER BY name_folded LIMIT @limit OFFSET @offset`,
  total: 'SELECT count(*) AS total FROM utm_templates WHERE user_id = @user',
};

/** The list of templates, read in the reader's thread. */
export function utmLists(reader: Reader) {
  return {
    list: (user: number, page: { limit: number; offset: number }): Promise<Page<UtmRow>> =>
      reader.page(listSql, { user, ...page }),
  };
}

/** SQL of UTM templates. Every statement carries the user's id, or follows one that does. */
export function utmQueries(database: Connection) {
  const byId = database.prepare<[number, number], UtmRow>(
    `SELECT ${columns} FROM utm_templates WHERE id = ? AND user_id = ?`,
  );
  const byName = database.prepare<[string, number], UtmRow>(
    `SELECT ${columns} FROM utm_templates WHERE name_folded = ? AND user_id = ?`,
  );
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM utm_templates WHERE user_id = ?')
    .pluck();
  const insert = database.prepare<[UtmValues & { user: number; name: string; folded: string; at: number }]>(
    `INSERT INTO utm_templates (user_id, name, name_folded, source, medium, campaign, term, content, created_at)
     VALUES (@user, @name, @folded, @source, @medium, @campaign, @term, @content, @at)`,
  );
  const update = database.prepare<[UtmRow & { folded: string }]>(
    `UPDATE utm_templates SET name = @name, name_folded = @folded, source = @source, medium = @medium,
       campaign = @campaign, term = @term, content = @content WHERE id = @id`,
  );
  const remove = database.prepare<[number]>('DELETE FROM utm_templates WHERE id = ?');
  return {
    find: (id: number, userId: number): UtmRow | undefined => byId.get(id, userId),
    findByName: (name: string, userId: number): UtmRow | undefined => byName.get(caseFold(name), userId),
    count: (userId: number): number => count.get(userId) ?? 0,
    insert: (userId: number, row: UtmValues & { name: string }, at: number): number =>
      Number(insert.run({ ...row, user: userId, folded: caseFold(row.name), at }).lastInsertRowid),
    update: (row: UtmRow): void => void update.run({ ...row, folded: caseFold(row.name) }),
    remove: (id: number): void => void remove.run(id),
  };
}

export type UtmQueries = ReturnType<typeof utmQueries>;
