import type { Connection } from '../../platform/database/connect.ts';

export interface PictureRow {
  type: 'image/png' | 'image/jpeg';
  body: Buffer;
}

/** The newest uploads of an account stay although no page shows them: the form that they are for may still be open. */
const keptUploads = 30;

/** SQL of the pictures of overlays, splash pages and bio pages. */
export function pictureQueries(database: Connection) {
  const byUrls = database.prepare<[number, string], PictureRow & { url: string }>(
    'SELECT url, type, body FROM page_pictures WHERE user_id = ? AND url IN (SELECT value FROM json_each(?))',
  );
  const insert = database.prepare<[number, string, string, string, Buffer]>(
    `INSERT INTO page_pictures (user_id, url, token, type, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, url) DO UPDATE SET type = excluded.type, body = excluded.body, shown = 1`,
  );
  const insertUpload = database.prepare<[number, string, string, string, Buffer]>(
    'INSERT INTO page_pictures (user_id, url, token, type, body, shown) VALUES (?, ?, ?, ?, ?, 0)',
  );
  const show = database.prepare<[number, string]>(
    'UPDATE page_pictures SET shown = 1 WHERE user_id = ? AND url = ?',
  );
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM page_pictures WHERE user_id = ?')
    .pluck();
  // Uploaded for a form that is not saved yet: its URL ends in its own token.
  const uploads = `SELECT id FROM page_pictures WHERE user_id = @user AND substr(url, -32) = token
       ORDER BY id DESC LIMIT ${keptUploads}`;
  const onPages = `SELECT avatar FROM splash_pages WHERE user_id = @user AND avatar IS NOT NULL
       UNION SELECT banner FROM splash_pages WHERE user_id = @user AND banner IS NOT NULL
       UNION SELECT json_extract(content, '$.image') FROM overlays
             WHERE user_id = @user AND type = 'image' AND json_extract(content, '$.image') IS NOT NULL
       UNION SELECT avatar FROM bio_pages WHERE user_id = @user AND avatar IS NOT NULL
       UNION SELECT json_extract(block.value, '$.image') FROM bio_pages, json_each(blocks) AS block
             WHERE user_id = @user AND json_extract(block.value, '$.image') IS NOT NULL`;
  const sweep = [
    `UPDATE page_pictures SET shown = url IN (${onPages})
     WHERE user_id = @user AND shown <> (url IN (${onPages}))`,
    `DELETE FROM page_pictures WHERE user_id = @user AND shown = 0 AND url NOT IN (
       SELECT picture.value FROM removals, json_each(content, '$.pictures') AS picture
       WHERE resource IN ('overlays', 'splash', 'bio') AND removals.user_id = @user)
     AND id NOT IN (${uploads})`,
  ].map((sql) => database.prepare<[Record<string, number>]>(sql));
  return {
    /** The pictures that came from some addresses, by address. */
    findAll: (userId: number, urls: readonly string[]): Map<string, PictureRow> =>
      new Map(byUrls.all(userId, JSON.stringify(urls)).map(({ url, ...picture }) => [url, picture])),
    store: (userId: number, url: string, token: string, picture: PictureRow): void =>
      void insert.run(userId, url, token, picture.type, picture.body),
    /** Stores a picture that no page shows yet, under a URL that ends in its token. */
    storeUpload: (userId: number, url: string, token: string, picture: PictureRow): void =>
      void insertUpload.run(userId, url, token, picture.type, picture.body),
    /** Lets a stored picture be seen again; false when there is none from this address. */
    show: (userId: number, url: string): boolean => show.run(userId, url).changes === 1,
    count: (userId: number): number => count.get(userId) ?? 0,
    /** Shows the pictures that are on pages of an account and no others; those that no deleted page needs are removed. */
    sweep(userId: number): void {
      for (const statement of sweep) statement.run({ user: userId });
    },
  };
}

export type PictureQueries = ReturnType<typeof pictureQueries>;
