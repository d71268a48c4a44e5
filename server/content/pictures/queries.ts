import type { Connection } from '../../platform/database/connect.ts';

export interface PictureRow {
  type: 'image/png' | 'image/jpeg';
  body: Buffer;
}

/** For how long an upload waits for the form that it is for. Milliseconds. */
const waitsMs = 86_400_000;
/** Uploads of one account that wait at once, more than the largest form has; the newest stay. */
const mostWaiting = 300;

/** SQL of the pictures of overlays, splash pages and bio pages. */
export function pictureQueries(database: Connection) {
  const byUrls = database.prepare<[number, string], PictureRow & { url: string }>(
    'SELECT url, type, body FROM page_pictures WHERE user_id = ? AND url IN (SELECT value FROM json_each(?))',
  );
  const insert = database.prepare<[number, string, string, string, Buffer]>(
    `INSERT INTO page_pictures (user_id, url, token, type, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, url) DO UPDATE SET type = excluded.type, body = excluded.body, shown = 1, uploaded_at = NULL`,
  );
  const insertUpload = database.prepare<[number, string, string, string, Buffer, number]>(
    `INSERT INTO page_pictures (user_id, url, token, type, body, shown, uploaded_at) VALUES (?, ?, ?, ?, ?, 0, ?)`,
  );
  const show = database.prepare<[number, string]>(
    'UPDATE page_pictures SET shown = 1, uploaded_at = NULL WHERE user_id = ? AND url = ?',
  );
  const count = database
    .prepare<{ user: number }, number>(
      `SELECT (SELECT count(*) FROM page_pictures WHERE user_id = @user)
         - (SELECT count(*) FROM page_pictures WHERE user_id = @user AND uploaded_at IS NOT NULL)`,
    )
    .pluck();
  const dropLapsed = database.prepare<[number]>(
    `DELETE FROM page_pictures WHERE id IN (SELECT id FROM page_pictures WHERE uploaded_at <= ? - ${waitsMs} LIMIT 5)`,
  );
  const dropPressed = database.prepare<{ user: number }>(
    `DELETE FROM page_pictures WHERE id IN (
       SELECT id FROM page_pictures WHERE user_id = @user AND uploaded_at IS NOT NULL
       ORDER BY id DESC LIMIT -1 OFFSET ${mostWaiting})`,
  );
  const onPages = `SELECT avatar FROM splash_pages WHERE user_id = @user AND avatar IS NOT NULL
       UNION SELECT banner FROM splash_pages WHERE user_id = @user AND banner IS NOT NULL
       UNION SELECT json_extract(content, '$.image') FROM overlays
             WHERE user_id = @user AND type = 'image' AND json_extract(content, '$.image') IS NOT NULL
       UNION SELECT avatar FROM bio_pages WHERE user_id = @user AND avatar IS NOT NULL
       UNION SELECT json_extract(block.value, '$.image') FROM bio_pages, json_each(blocks) AS block
             WHERE user_id = @user AND json_extract(block.value, '$.image') IS NOT NULL`;
  const sweep = [
    `UPDATE page_pictures SET shown = url IN (${onPages}), uploaded_at = NULL
     WHERE user_id = @user AND shown <> (url IN (${onPages}))`,
    `DELETE FROM page_pictures WHERE user_id = @user AND shown = 0 AND uploaded_at IS NULL AND url NOT IN (
       SELECT picture.value FROM removals, json_each(content, '$.pictures') AS picture
       WHERE resource IN ('overlays', 'splash', 'bio') AND removals.user_id = @user)`,
  ].map((sql) => database.prepare<[Record<string, number>]>(sql));
  return {
    /** The pictures that came from some addresses, by address. */
    findAll: (userId: number, urls: readonly string[]): Map<string, PictureRow> =>
      new Map(byUrls.all(userId, JSON.stringify(urls)).map(({ url, ...picture }) => [url, picture])),
    store: (userId: number, url: string, token: string, picture: PictureRow): void =>
      void insert.run(userId, url, token, picture.type, picture.body),
    /** Stores a picture that no page shows yet, under a URL that ends in its token. */
    storeUpload(userId: number, url: string, token: string, picture: PictureRow, now: number): void {
      insertUpload.run(userId, url, token, picture.type, picture.body, now);
      dropPressed.run({ user: userId });
    },
    /** Lets a stored picture be seen again; false when there is none from this address. */
    show: (userId: number, url: string): boolean => show.run(userId, url).changes === 1,
    /** How many there are, uploads that nothing has shown yet left out. */
    count: (userId: number): number => count.get({ user: userId }) ?? 0,
    /** Removes some uploads that have waited for their form long enough; false when there are none. */
    dropLapsed: (now: number): boolean => dropLapsed.run(now).changes > 0,
    /**
     * Shows the pictures that are on pages of an account and no others; those that neither a deleted page needs nor a form
     * that may still be open are removed.
     */
    sweep(userId: number): void {
      for (const statement of sweep) statement.run({ user: userId });
    },
  };
}

export type PictureQueries = ReturnType<typeof pictureQueries>;
