import type { Connection } from '../database/connect.ts';
import type { Fetcher } from './fetcher.ts';

/** `/img/<token>`, whatever the instance was called when the URL was handed out. */
const picturePath = /^https?:\/\/[^/?#]+\/img\/([0-9a-f]{32})$/;

/**
 * A fetcher that finds the instance's own pictures in the database: the guard lets nobody ask the instance itself, and an
 * uploaded picture is served only once a page shows it (decision 0099).
 */
export function withOwnPictures(fetcher: Fetcher, database: Connection): Fetcher {
  const byToken = database.prepare<[string], { type: string; body: Buffer }>(
    'SELECT type, body FROM page_pictures WHERE token = ? AND (shown = 1 OR substr(url, -32) = token)',
  );
  return {
    ...fetcher,
    async get(url, options) {
      const token = picturePath.exec(url)?.[1];
      // Its size was bounded when it came.
      return (token !== undefined && byToken.get(token)) || fetcher.get(url, options);
    },
  };
}
