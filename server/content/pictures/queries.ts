import type { Connection } from '../../platform/database/connect.ts';

export interface PictureRow {
  type: 'image/png' | 'image/jpeg';
  body: Buffer;
}

/** For how long an upload waits for the form that it is for. Milliseconds. */
const waitsMs = 86_400_000;
/** Unused uploads per account, more than the largest form has; the newest are kept. */
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
  const isUsed = (where: string) =>
    `EXISTS (SELECT 1 FROM page_picture_uses AS uses WHERE uses.user_id = @user AND uses.url = pictures.url AND ${where})`;
  // Index only: columns stored after the picture's content require reading through it.
  const ofAccount =
    'page_pictures AS pictures INDEXED BY page_pictures_by_use WHERE pictures.user_id = @user';
  const sweep = [
    `UPDATE page_pictures SET shown = 1 - shown, uploaded_at = NULL WHERE id IN (
       SELECT id FROM ${ofAccount} AND shown <> ${isUsed('trashed = 0')})`,
    `DELETE FROM page_pictures WHERE id IN (
       SELECT id FROM ${ofAccount} AND shown = 0 AND uploaded_at IS NULL AND NOT ${isUsed('trashed = 1')})`,
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
    /** Makes a stored picture visible again; false if there is none from this URL. */
    show: (userId: number, url: string): boolean => show.run(userId, url).changes === 1,
    /** How many there are, uploads that nothing has shown yet left out. */
    count: (userId: number): number => count.get({ user: userId }) ?? 0,
    /** Deletes some uploads that no form has used in time; false if there are none. */
    dropLapsed: (now: number): boolean => dropLapsed.run(now).changes > 0,
    /**
     * Shows the pictures that are on pages of an account and no others; those that neither a deleted page needs nor a
     * form that may still be open are removed.
     */
    sweep(userId: number): void {
      for (const statement of sweep) statement.run({ user: userId });
    },
  };
}

export type PictureQueries = ReturnType<typeof pictureQueries>;
