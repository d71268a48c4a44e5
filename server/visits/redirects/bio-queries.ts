import type { Connection } from '../../platform/database/connect.ts';
import { dayMs, hourMs } from '../clicks/dimensions.ts';
import { nobody } from '../clicks/omissions.ts';

/** A bio page as the redirect path reads it; theme, colors and blocks were validated when written. */
export interface BioRow {
  id: number;
  user_id: number;
  /** 0 is the instance's own host. */
  domain_id: number;
  alias: string;
  host: string | null;
  name: string;
  title: string | null;
  description: string | null;
  avatar: string | null;
  theme: string;
  colors: string;
  shape: string | null;
  font: string | null;
  blocks: string;
}

export interface ShownFile {
  alias: string;
  host: string | null;
  name: string;
  size: number;
}

export interface ShownLink {
  domain_id: number;
  alias: string;
  host: string | null;
}

/** Values of `visitors.scope`; 0 and 1 are links and accounts (clicks/dimensions.ts). */
const bioScope = 2;
const countSql = `INSERT INTO bio_counts (bio_id, hour, block, visits) SELECT id, ?, ?, 1 FROM bio_pages WHERE id = ?
  ON CONFLICT DO UPDATE SET visits = visits + 1`;

/** Reads of bio pages and their counters. They are rare enough to be read every time. */
export function bioVisitQueries(connection: Connection) {
  const page = connection.prepare<[number], BioRow>(
    `SELECT bio_pages.id, bio_pages.user_id, ifnull(domain_id, 0) AS domain_id, alias, host, bio_pages.name,
            title, description, bio_pages.avatar, theme, colors, shape, font, blocks
     FROM bio_pages JOIN users ON users.id = bio_pages.user_id AND users.active = 1
     LEFT JOIN domains ON domains.id = domain_id
     WHERE bio_pages.id = ? AND leaving = 0`,
  );
  const pictures = connection.prepare<[number, string], { url: string; token: string }>(
    `SELECT url, token FROM page_pictures WHERE user_id = ? AND url IN (SELECT value FROM json_each(?))`,
  );
  const files = connection.prepare<[string, number], ShownFile & { id: number }>(
    `SELECT files.id, alias, host, name, size FROM files LEFT JOIN domains ON domains.id = domain_id
     WHERE files.id IN (SELECT value FROM json_each(?)) AND files.user_id = ?`,
  );
  const links = connection.prepare<[string, number], ShownLink & { id: number }>(
    `SELECT links.id, ifnull(domain_id, 0) AS domain_id, alias, host FROM links
     LEFT JOIN domains ON domains.id = domain_id
     WHERE links.id IN (SELECT value FROM json_each(?)) AND links.user_id = ? AND trashed_at IS NULL`,
  );
  const { countClick } = bioClickQueries(connection);
  const addVisitor = connection.prepare<[number, number, number, number]>(
    'INSERT OR IGNORE INTO visitors (day, scope, scope_id, visitor) VALUES (?, ?, ?, ?)',
  );
  // Cleaned up here too: on an instance whose links are not visited, nothing else would.
  const sweepVisitors = connection.prepare<[number]>(
    `DELETE FROM visitors WHERE (day, scope, scope_id, visitor) IN
       (SELECT day, scope, scope_id, visitor FROM visitors WHERE day < ? LIMIT 3)`,
  );
  const count = connection.prepare<[number, number, number]>(countSql);
  const addView = connection.prepare<[number, number]>(
    'UPDATE bio_pages SET views = views + 1, unique_views = unique_views + ? WHERE id = ?',
  );
  return {
    find: (id: number): BioRow | undefined => page.get(id),
    /** Tokens of the account's pictures, by their original URLs. */
    pictures: (userId: number, urls: readonly string[]): Map<string, string> =>
      new Map(pictures.all(userId, JSON.stringify(urls)).map(({ url, token }) => [url, token])),
    files: (userId: number, ids: readonly number[]): Map<number, ShownFile> =>
      new Map(files.all(JSON.stringify(ids), userId).map((row) => [row.id, row])),
    links: (userId: number, ids: readonly number[]): Map<number, ShownLink> =>
      new Map(links.all(JSON.stringify(ids), userId).map((row) => [row.id, row])),
    /** Counts a view of the page; a visitor is unique once a day. Runs inside a transaction. */
    countView(id: number, visitor: number, at: number): void {
      const day = Math.floor(at / dayMs);
      const isFirst = visitor !== nobody && addVisitor.run(day, bioScope, id, visitor).changes === 1;
      if (isFirst) sweepVisitors.run(day - 1);
      count.run(Math.floor(at / hourMs), 0, id);
      addView.run(isFirst ? 1 : 0, id);
    },
    /** Counts a click on a block. Runs inside a transaction. */
    countClick,
  };
}

/** Counts a click on a block; runs inside a transaction. Clicks on deleted pages are not counted. */
export function bioClickQueries(connection: Connection) {
  const count = connection.prepare<[number, number, number]>(countSql);
  const addBlockClick = connection.prepare<[number, number]>(
    `INSERT INTO bio_block_clicks (bio_id, block, clicks) SELECT id, ?, 1 FROM bio_pages WHERE id = ?
     ON CONFLICT DO UPDATE SET clicks = clicks + 1`,
  );
  const addClick = connection.prepare<[number]>('UPDATE bio_pages SET clicks = clicks + 1 WHERE id = ?');
  return {
    countClick(id: number, block: number, at: number): void {
      count.run(Math.floor(at / hourMs), block, id);
      addBlockClick.run(block, id);
      addClick.run(id);
    },
  };
}

export type BioVisitQueries = ReturnType<typeof bioVisitQueries>;
