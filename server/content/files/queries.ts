import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import { caseFold } from '../../platform/text/case-fold.ts';

/** The editable fields of a file, as stored. */
export interface FileRecord {
  domain_id: number | null;
  alias: string;
  name: string;
  filename: string;
  password_hash: string | null;
  expires_at: number | null;
  max_downloads: number | null;
}

export interface FileRow extends FileRecord {
  id: number;
  user_id: number;
  storage: string;
  size: number;
  downloads: number;
  /** Downloads that no limit counted. */
  free_downloads: number;
  created_at: number;
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
  /** Host of the file's domain; null on the instance's own address. */
  host: string | null;
}

const recordColumns = 'domain_id, alias, name, filename, password_hash, expires_at, max_downloads';
const source = 'files LEFT JOIN domains ON domains.id = files.domain_id';
const matches = `files.user_id = @user AND (@name IS NULL OR instr(files.search, @name) > 0)
  AND (@member IS NULL OR ifnull(files.created_by, files.user_id) = @member)`;

const listSql = {
  rows: `SELECT files.*, domains.host AS host FROM ${source} WHERE ${matches}
    ORDER BY files.created_at DESC, files.id DESC LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM files WHERE ${matches}`,
};

/** The list of files, read in the reader's thread. */
export function fileLists(reader: Reader) {
  return {
    list: (user: number, name: string | undefined, page: ListPage): Promise<Page<FileRow>> =>
      reader.page(listSql, { user, name: name ? caseFold(name) : null, ...page }),
  };
}

export type FileLists = ReturnType<typeof fileLists>;

/** SQL of files. Every statement of a user's files carries the user's id; the public ones say so. */
export function fileQueries(database: Connection) {
  const insert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO files (user_id, storage, size, created_at, search, ${recordColumns})
     VALUES (@user_id, @storage, @size, @created_at, @search,
             @domain_id, @alias, @name, @filename, @password_hash, @expires_at, @max_downloads)`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    `UPDATE files SET search = @search, domain_id = @domain_id, alias = @alias, name = @name, filename = @filename,
       password_hash = @password_hash, expires_at = @expires_at, max_downloads = @max_downloads,
       free_downloads = downloads - limited_downloads
     WHERE id = @id`,
  );
  const byId = database.prepare<[number, number], FileRow>(
    `SELECT files.*, domains.host AS host FROM ${source} WHERE files.id = ? AND files.user_id = ?`,
  );
  const count = database.prepare<[number], number>('SELECT count(*) FROM files WHERE user_id = ?').pluck();
  const remove = database.prepare<[number, number]>('DELETE FROM files WHERE id = ? AND user_id = ?');
  const withdraw = database
    .prepare<[{ id: number; user: number }], number>(
      `UPDATE bio_pages SET blocks = (
         SELECT json_group_array(json(value)) FROM json_each(blocks)
         WHERE value ->> 'type' <> 'file' OR value ->> 'file' <> @id)
       WHERE user_id = @user AND EXISTS (
         SELECT 1 FROM json_each(blocks) WHERE value ->> 'type' = 'file' AND value ->> 'file' = @id)
       RETURNING id`,
    )
    .pluck();
  const contentsOf = database
    .prepare<[number], string>('SELECT storage FROM files WHERE user_id = ?')
    .pluck();
  const isStored = database
    .prepare<[string], number>('SELECT EXISTS (SELECT 1 FROM files WHERE storage = ?)')
    .pluck();
  const publicById = database.prepare<[number], FileRow>(
    `SELECT files.*, domains.host AS host FROM ${source}
     WHERE files.id = ? AND files.user_id NOT IN (SELECT id FROM users WHERE removed_at IS NOT NULL
         UNION ALL SELECT id FROM users WHERE trashed_at IS NOT NULL)`,
  );
  const takeDownload = database.prepare<[number]>(
    `UPDATE files SET downloads = downloads + 1, limited_downloads = limited_downloads + (max_downloads IS NOT NULL)
     WHERE id = ? AND (max_downloads IS NULL OR downloads < max_downloads)`,
  );
  return {
    insert: (
      userId: number,
      record: FileRecord,
      content: { storage: string; size: number },
      createdAt: number,
    ): number =>
      Number(
        insert.run({
          ...record,
          ...content,
          user_id: userId,
          created_at: createdAt,
          search: caseFold(record.name),
        }).lastInsertRowid,
      ),
    update: (id: number, record: FileRecord): void =>
      void update.run({ ...record, id, search: caseFold(record.name) }),
    find: (id: number, userId: number): FileRow | undefined => byId.get(id, userId),
    count: (userId: number): number => count.get(userId) ?? 0,
    remove: (id: number, userId: number): boolean => remove.run(id, userId).changes === 1,
    /** Takes a file off the account's bio pages; returns the ids of those that showed it. */
    withdraw: (id: number, user: number): number[] => withdraw.all({ id, user }),
    /** The contents of all files of an account. */
    contentsOf: (userId: number): string[] => contentsOf.all(userId),
    /** Whether a stored content belongs to any file. */
    isStored: (storage: string): boolean => isStored.get(storage) === 1,
    /** A file by its address, for visitors, whoever owns it. */
    findPublic: (id: number): FileRow | undefined => publicById.get(id),
    /** Counts one download, if there is one left; the condition and the count are one statement (T-21). */
    takeDownload: (id: number): boolean => takeDownload.run(id).changes === 1,
  };
}

export type FileQueries = ReturnType<typeof fileQueries>;
