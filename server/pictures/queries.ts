import type { Connection } from '../database/connect.ts';

export interface PictureRow {
  type: 'image/png' | 'image/jpeg';
  body: Buffer;
}

/** SQL of the pictures of overlays, splash pages and bio pages. */
export function pictureQueries(database: Connection) {
  const tokenOf = database
    .prepare<[number, string], string>('SELECT token FROM page_pictures WHERE user_id = ? AND url = ?')
    .pluck();
  const byToken = database.prepare<[string], PictureRow>(
    'SELECT type, body FROM page_pictures WHERE token = ?',
  );
  const byUrls = database.prepare<[number, string], PictureRow & { url: string }>(
    'SELECT url, type, body FROM page_pictures WHERE user_id = ? AND url IN (SELECT value FROM json_each(?))',
  );
  const insert = database.prepare<[number, string, string, string, Buffer]>(
    `INSERT INTO page_pictures (user_id, url, token, type, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, url) DO UPDATE SET type = excluded.type, body = excluded.body`,
  );
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM page_pictures WHERE user_id = ?')
    .pluck();
  const sweep = database.prepare<[Record<string, number>]>(
    `DELETE FROM page_pictures WHERE user_id = @user AND url NOT IN (
       SELECT avatar FROM splash_pages WHERE user_id = @user AND avatar IS NOT NULL
       UNION SELECT banner FROM splash_pages WHERE user_id = @user AND banner IS NOT NULL
       UNION SELECT json_extract(content, '$.image') FROM overlays WHERE user_id = @user AND type = 'image'
       UNION SELECT avatar FROM bio_pages WHERE user_id = @user AND avatar IS NOT NULL
       UNION SELECT json_extract(block.value, '$.image') FROM bio_pages, json_each(blocks) AS block
             WHERE user_id = @user AND json_extract(block.value, '$.image') IS NOT NULL)`,
  );
  return {
    tokenOf: (userId: number, url: string): string | undefined => tokenOf.get(userId, url),
    find: (token: string): PictureRow | undefined => byToken.get(token),
    /** The pictures that came from some addresses, by address. */
    findAll: (userId: number, urls: readonly string[]): Map<string, PictureRow> =>
      new Map(byUrls.all(userId, JSON.stringify(urls)).map(({ url, ...picture }) => [url, picture])),
    store: (userId: number, url: string, token: string, picture: PictureRow): void =>
      void insert.run(userId, url, token, picture.type, picture.body),
    count: (userId: number): number => count.get(userId) ?? 0,
    /** Removes the pictures of an account that no page of it shows any more. */
    sweep: (userId: number): void => void sweep.run({ user: userId }),
  };
}

export type PictureQueries = ReturnType<typeof pictureQueries>;
