import { accountParty } from '../concurrency/fair-queue.ts';
import type { Connection } from '../database/connect.ts';
import type { Fetcher } from './fetcher.ts';

/** `/img/<token>`, whatever host name the URL was created with. */
const picturePath = /^https?:\/\/[^/?#]+\/img\/([0-9a-f]{32})$/;

/**
 * A fetcher that reads the instance's own pictures from the database: the guard forbids requests to the instance
 * itself, and an uploaded picture is served publicly only once a page shows it; until then only its own account can
 * use it (decision 0099).
 */
export function withOwnPictures(fetcher: Fetcher, database: Connection): Fetcher {
  const byToken = database.prepare<[string], { user_id: number; shown: number; type: string; body: Buffer }>(
    'SELECT user_id, shown, type, body FROM page_pictures WHERE token = ?',
  );
  return {
    ...fetcher,
    async get(url, options) {
      const token = picturePath.exec(url)?.[1];
      const own = token === undefined ? undefined : byToken.get(token);
      const mayHave = own && (own.shown === 1 || accountParty(own.user_id) === options.party);
      // Its size was checked on upload.
      return mayHave ? { type: own.type, body: own.body } : fetcher.get(url, options);
    },
  };
}
