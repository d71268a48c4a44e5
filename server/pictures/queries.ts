import type { Connection } from '../database/connect.ts';

export interface PictureRow {
  type: 'image/png' | 'image/jpeg';
  body: Buffer;
}

/** SQL of the pictures of overlays and splash pages. */
export function pictureQueries(database: Connection) {
  const tokenOf = database
    .prepare<[number, string], string>('SELECT token FROM page_pictures WHERE user_id = ? AND url = ?')
    .pluck();
  const byToken = database.prepare<[string], PictureRow>(
    'SELECT type, body FROM page_pictures WHERE token = ?',
  );
  const insert = database.prepare<[number, string, string, string, Buffer]>(
    `INSERT INTO page_pictures (user_id, url, token, type, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, url) DO UPDATE SET type = excluded.type, body = excluded.body`,
  );
  const sweep = database.prepare<[number, number, number, number]>(
    `DELETE FROM page_pictures WHERE user_id = ? AND url NOT IN (
       SELECT avatar FROM splash_pages WHERE user_id = ? AND avatar IS NOT NULL
       UNION SELECT banner FROM splash_pages WHERE user_id = ? AND banner IS NOT NULL
       UNION SELECT json_extract(content, '$.image') FROM overlays WHERE user_id = ? AND type = 'image')`,
  );
  return {
    tokenOf: (userId: number, url: string): string | undefined => tokenOf.get(userId, url),
    find: (token: string): PictureRow | undefined => byToken.get(token),
    store: (userId: number, url: string, token: string, picture: PictureRow): void =>
      void insert.run(userId, url, token, picture.type, picture.body),
    /** Removes the pictures of an account that no page of it shows any more. */
    sweep: (userId: number): void => void sweep.run(userId, userId, userId, userId),
  };
}

export type PictureQueries = ReturnType<typeof pictureQueries>;
