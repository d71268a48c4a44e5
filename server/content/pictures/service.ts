import type { StorageQuota } from '../../identity/plans/storage-quota.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { rejected } from '../../platform/errors.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import type { Account } from '../../platform/http/caller.ts';
import { fitImage } from '../../platform/images/images.ts';
import type { PictureQueries } from './queries.ts';

interface Options {
  queries: PictureQueries;
  fetcher: Fetcher;
  quota: Pick<StorageQuota, 'left' | 'within'>;
  transactions: Transactions;
  randomBytes: (size: number) => Buffer;
}

/** Bytes of a picture before it is made smaller. */
export const maxPictureBytes = 2_000_000;
const box = { width: 1200, height: 1200 };
/** Pictures of one account; previews of drafts keep some that no page shows, until the next sweep. */
const mostPictures = 1000;

/**
 * Pictures of overlays, splash pages and bio pages. They are fetched once, when somebody sets their address, and then
 * served from here: a visitor's browser asks nobody else (decisions, section 6).
 */
export function pictureService({ queries, fetcher, quota, transactions, randomBytes }: Options) {
  return {
    /** Fetches a picture unless it is here already. Throws 400 naming the field, `storage_full` too. */
    async keep(account: Account, url: string, field: string): Promise<void> {
      const userId = account.user.id;
      if (queries.show(userId, url)) return;
      if (queries.count(userId) >= mostPictures) {
        queries.sweep(userId);
        if (queries.count(userId) >= mostPictures) throw tooManyPictures(field);
      }
      const { body } = await fetcher.get(url, { maxBytes: maxPictureBytes, field });
      const picture = await fitImage(body, box, field);
      const token = randomBytes(16).toString('hex');
      transactions.atomically(() => {
        // Drafts of pages left some that no page shows.
        if (quota.left(account) < picture.body.length) queries.sweep(userId);
        quota.within(account, field, () => queries.store(userId, url, token, picture));
      });
    },
    sweep: (userId: number): void => queries.sweep(userId),
  };
}

export type PictureService = ReturnType<typeof pictureService>;

function tooManyPictures(field: string) {
  const message = `Your pages show ${mostPictures} pictures already. Take one away first.`;
  return rejected('too_many_pictures', field, message);
}
