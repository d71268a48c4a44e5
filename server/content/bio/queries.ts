import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import { caseFold } from '../../platform/text/case-fold.ts';

/** The editable fields of a bio page, as stored. */
export interface BioRecord {
  domain_id: number | null;
  alias: string;
  name: string;
  title: string | null;
  description: string | null;
  avatar: string | null;
  theme: string;
  /** JSON. */
  colors: string;
  shape: string | null;
  font: string | null;
  /** JSON, in the form of `StoredBlock`. */
  blocks: string;
  next_block: number;
}

export interface BioRow extends BioRecord {
  id: number;
  user_id: number;
  views: number;
  unique_views: number;
  clicks: number;
  created_at: number;
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
  /** When its forms last reached a limit (`formBounds`). */
  limited_at: number | null;
  /** Host of the page's domain; null on the instance's own address. */
  host: string | null;
  /** Token of the avatar's picture. */
  picture: string | null;
}

/** A page as lists show it: without its blocks, which may be tens of kilobytes each. */
export type ListedBio = Pick<
  BioRow,
  | 'id'
  | 'name'
  | 'title'
  | 'alias'
  | 'host'
  | 'picture'
  | 'views'
  | 'unique_views'
  | 'clicks'
  | 'created_at'
  | 'version'
  | 'created_by'
  | 'updated_by'
>;

export interface MessageRow {
  id: number;
  block: number;
  name: string;
  email: string;
  message: string;
  at: number;
}

/** A domain whose bare address showed the page, and its redirect otherwise. */
export interface DomainRootRow {
  id: number;
  redirect_root: string | null;
}

/** A short link or file that a block points at. */
export interface ShortAddress {
  id: number;
  alias: string;
  host: string | null;
}

const columns = `bio_pages.*, domains.host AS host, page_pictures.token AS picture`;
const source = `bio_pages LEFT JOIN domains ON domains.id = bio_pages.domain_id
  LEFT JOIN page_pictures ON page_pictures.user_id = bio_pages.user_id AND page_pictures.url = bio_pages.avatar`;
const recordColumns =
  'domain_id, alias, name, title, description, avatar, theme, colors, shape, font, blocks, next_block';

const listedColumns = `bio_pages.id, bio_pages.name, bio_pages.title, bio_pages.alias, bio_pages.views,
  bio_pages.unique_views, bio_pages.clicks, bio_pages.created_at, bio_pages.version, bio_pages.created_by,
  bio_pages.updated_by,
  domains.host AS host, page_pictures.token AS picture`;
const matches = `bio_pages.user_id = @user AND leaving = 0 AND (@q IS NULL OR instr(search, @q) > 0)
  AND (@member IS NULL OR ifnull(bio_pages.created_by, bio_pages.user_id) = @member)`;
const listSql = {
  rows: `SELECT ${listedColumns} FROM ${source} WHERE ${matches} ORDER BY bio_pages.id DESC LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM bio_pages WHERE ${matches}`,
};
const messagesSql = {
  rows: `SELECT id, block, name, email, message, at FROM bio_messages WHERE bio_id = @id
    ORDER BY id DESC LIMIT @limit OFFSET @offset`,
  total: 'SELECT count(*) AS total FROM bio_messages WHERE bio_id = @id',
};

/** The lists of bio pages and of what was sent to one, read in the reader's thread. */
export function bioLists(reader: Reader) {
  return {
    list: (user: number, q: string | undefined, page: ListPage): Promise<Page<ListedBio>> =>
      reader.page(listSql, { user, q: q === undefined ? null : caseFold(q), ...page }),
    listMessages: (id: number, page: { limit: number; offset: number }): Promise<Page<MessageRow>> =>
      reader.page(messagesSql, { id, ...page }),
  };
}

export type BioLists = ReturnType<typeof bioLists>;

/** SQL of bio pages. Every statement that a path's id reaches carries the user's id, or follows one that does. */
export function bioQueries(database: Connection) {
  const byId = database.prepare<[number, number], BioRow>(
    `SELECT ${columns} FROM ${source} WHERE bio_pages.id = ? AND bio_pages.user_id = ? AND leaving = 0`,
  );
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM bio_pages WHERE user_id = ? AND leaving = 0')
    .pluck();
  const insert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO bio_pages (user_id, ${recordColumns}, search, created_at)
     VALUES (@user, ${recordColumns.replaceAll(/(\w+)/g, '@$1')}, @search, @at)`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    `UPDATE bio_pages SET ${recordColumns.replaceAll(/(\w+)/g, '$1 = @$1')}, search = @search WHERE id = @id`,
  );
  const reinsert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO bio_pages (id, user_id, ${recordColumns}, search, views, unique_views, clicks, created_at)
     VALUES (@id, @user_id, ${recordColumns.replaceAll(/(\w+)/g, '@$1')}, @search, @views, @unique_views, @clicks,
       @created_at)`,
  );
  const domainRootRows = database.prepare<[number], DomainRootRow>(
    'SELECT id, redirect_root FROM domains WHERE bio_id = ?',
  );
  const restoreDomainRoot = database.prepare<[DomainRootRow & { bio: number; user: number }]>(
    `UPDATE domains SET bio_id = @bio
     WHERE id = @id AND user_id = @user AND bio_id IS NULL AND redirect_root IS @redirect_root`,
  );
  const remove = database.prepare<[number, number]>('DELETE FROM bio_pages WHERE id = ? AND user_id = ?');
  const blockClicks = database.prepare<[number], { block: number; clicks: number }>(
    'SELECT block, clicks FROM bio_block_clicks WHERE bio_id = ?',
  );
  const domainRoots = database
    .prepare<[number], string>('SELECT host FROM domains WHERE bio_id = ? ORDER BY host')
    .pluck();
  const ownLink = database
    .prepare<[number, string, number], number>(
      `SELECT links.id FROM aliases JOIN links ON links.id = target_id AND trashed_at IS NULL
       WHERE aliases.domain_id = ? AND aliases.alias = ? AND kind = 'link' AND links.user_id = ?`,
    )
    .pluck();
  const links = database.prepare<[string, number], ShortAddress>(
    `SELECT links.id, alias, host FROM links LEFT JOIN domains ON domains.id = domain_id
     WHERE links.id IN (SELECT value FROM json_each(?)) AND links.user_id = ? AND trashed_at IS NULL`,
  );
  const ownsFile = database
    .prepare<[number, number], number>('SELECT 1 FROM files WHERE id = ? AND user_id = ?')
    .pluck();
  const removeMessage = database.prepare<[number, number]>(
    'DELETE FROM bio_messages WHERE id = ? AND bio_id = ?',
  );
  return {
    find: (id: number, userId: number): BioRow | undefined => byId.get(id, userId),
    isOwned: (id: number, userId: number): boolean => byId.get(id, userId) !== undefined,
    count: (userId: number): number => count.get(userId) ?? 0,
    insert: (user: number, record: BioRecord, at: number): number =>
      Number(insert.run({ ...record, user, at, search: searchText(record) }).lastInsertRowid),
    update: (id: number, record: BioRecord): void =>
      void update.run({ ...record, id, search: searchText(record) }),
    /** Removes a page; its alias, its places in channels and what domains show go with it (triggers). */
    remove: (id: number, userId: number): boolean => remove.run(id, userId).changes === 1,
    /** Domains whose bare address shows the page. */
    listDomainRoots: (id: number): DomainRootRow[] => domainRootRows.all(id),
    /** Puts a page that was removed back under its id, and on those of its domains that show nothing else by now. */
    reinsert(row: BioRow, onDomains: readonly DomainRootRow[]): void {
      reinsert.run({ ...row, search: searchText(row) });
      for (const { id, redirect_root } of onDomains) {
        restoreDomainRoot.run({ id, redirect_root, bio: row.id, user: row.user_id });
      }
    },
    /** All clicks on each block. */
    blockClicks: (id: number): Map<number, number> =>
      new Map(blockClicks.all(id).map(({ block, clicks }) => [block, clicks])),
    /** Hosts whose bare address shows the page. */
    domainRoots: (id: number): string[] => domainRoots.all(id),
    /** The account's short link at an address; `domainId` null is the instance's own. */
    ownLink: (domainId: number | null, alias: string, userId: number): number | undefined =>
      ownLink.get(domainId ?? 0, alias, userId),
    links: (ids: readonly number[], userId: number): ShortAddress[] =>
      ids.length === 0 ? [] : links.all(JSON.stringify(ids), userId),
    ownsFile: (id: number, userId: number): boolean => ownsFile.get(id, userId) !== undefined,
    removeMessage: (id: number, bioId: number): boolean => removeMessage.run(id, bioId).changes === 1,
  };
}

export type BioQueries = ReturnType<typeof bioQueries>;

function searchText({ name, title, alias }: BioRecord): string {
  return caseFold([name, title ?? '', alias].join('\n'));
}
