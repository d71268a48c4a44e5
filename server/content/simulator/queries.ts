import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';

/** What can be set on a case; visitor and expected are JSON. */
export interface CaseRecord {
  name: string;
  visitor: string;
  expected: string;
}

export interface CaseRow extends CaseRecord {
  id: number;
  link_id: number;
  created_at: number;
  version: number;
}

const columns =
  'link_cases.id, link_cases.link_id, link_cases.name, link_cases.visitor, link_cases.expected, link_cases.created_at, link_cases.version';
const source = 'link_cases JOIN links ON links.id = link_cases.link_id AND links.trashed_at IS NULL';

const isListed =
  'links.user_id = @user AND (@member IS NULL OR ifnull(links.created_by, links.user_id) = @member)';
const ofUserSql = {
  rows: `SELECT ${columns} FROM ${source} WHERE ${isListed}
    ORDER BY link_cases.id DESC LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM ${source} WHERE ${isListed}`,
};

/** The list of an account's cases, read in the reader's thread. */
export function caseLists(reader: Reader) {
  return {
    ofUser: (user: number, page: ListPage): Promise<Page<CaseRow>> =>
      reader.page(ofUserSql, { user, ...page }),
  };
}

export type CaseLists = ReturnType<typeof caseLists>;

/** SQL of the saved cases of links. Every statement that a path's id reaches carries the user's id. */
export function caseQueries(database: Connection) {
  const ofLink = database.prepare<[number, number, number], CaseRow>(
    `SELECT ${columns} FROM link_cases WHERE link_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const countOfLink = database
    .prepare<[number], number>('SELECT count(*) FROM link_cases WHERE link_id = ?')
    .pluck();
  const countOfUser = database
    .prepare<[number], number>(`SELECT count(*) FROM ${source} WHERE links.user_id = ?`)
    .pluck();
  const byId = database.prepare<[number, number], CaseRow>(
    `SELECT ${columns} FROM ${source} WHERE link_cases.id = ? AND links.user_id = ?`,
  );
  const insert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO link_cases (link_id, name, visitor, expected, created_at)
     VALUES (@link, @name, @visitor, @expected, @at)`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    'UPDATE link_cases SET name = @name, visitor = @visitor, expected = @expected WHERE id = @id',
  );
  const remove = database.prepare<[number]>('DELETE FROM link_cases WHERE id = ?');
  return {
    countOfLink: (linkId: number): number => countOfLink.get(linkId) ?? 0,
    countOfUser: (userId: number): number => countOfUser.get(userId) ?? 0,
    ofLink: (linkId: number, page: { limit: number; offset: number }): Page<CaseRow> => ({
      rows: ofLink.all(linkId, page.limit, page.offset),
      total: countOfLink.get(linkId) ?? 0,
    }),
    find: (id: number, userId: number): CaseRow | undefined => byId.get(id, userId),
    insert: (linkId: number, record: CaseRecord, at: number): number =>
      Number(insert.run({ ...record, link: linkId, at }).lastInsertRowid),
    update: (id: number, record: CaseRecord): void => void update.run({ ...record, id }),
    remove: (id: number): void => void remove.run(id),
  };
}

export type CaseQueries = ReturnType<typeof caseQueries>;
