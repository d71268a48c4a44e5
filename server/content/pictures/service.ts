import type { StorageQuota } from '../../identity/plans/storage-quota.ts';
import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { rejected } from '../../platform/errors.ts';
import type { Fetcher } from '../../platform/fetcher/fetcher.ts';
import type { Account } from '../../platform/http/caller.ts';
import { readDataAddress } from '../../platform/images/data-address.ts';
import { fitImage } from '../../platform/images/images.ts';
import type { PictureQueries, PictureRow } from './queries.ts';

interface Options {
  queries: PictureQueries;
  fetcher: Fetcher;
  quota: Pick<StorageQuota, 'left' | 'within'>;
  transactions: Transactions;
  randomBytes: (size: number) => Buffer;
  baseUrl: () => string;
  now: () => number;
}

/** A picture for a page, by its source URL. */
export interface FetchedPicture {
  url: string;
  /** What a refusal names. */
  field: string;
  picture: PictureRow;
}

/** The maximum size of a picture before it is scaled down. */
export const maxPictureBytes = 2_000_000;
const box = { width: 1200, height: 1200 };
/** Pictures per account besides uploads; previews of drafts keep some unused ones until the next clean-up. */
const mostPictures = 1000;

/**
 * Pictures of overlays, splash pages and bio pages. They are fetched once, when their URL is set, and then served from
 * here: visitors' browsers contact no other server (decision 0026).
 */
export function pictureService({
  queries,
  fetcher,
  quota,
  transactions,
  randomBytes,
  baseUrl,
  now,
}: Options) {
  /** Removes the pictures that drafts left and no page shows, where some more would not fit. */
  function makeRoom(account: Account, bytes: number, pictures: number): void {
    const userId = account.user.id;
    const isFull = queries.count(userId) + pictures > mostPictures || quota.left(account) < bytes;
    if (isFull) queries.sweep(userId);
  }

  /** Throws 400 `too_many_pictures` where no other picture may be stored. */
  function checkCount(userId: number, field: string): void {
    if (queries.count(userId) < mostPictures) return;
    const message = `Your pages already show ${mostPictures} pictures. Remove one first.`;
    throw rejected('too_many_pictures', field, message);
  }

  /** Gets a picture without storing it. Throws 400 naming the field. */
  async function fetchPicture(account: Account, url: string, field: string): Promise<FetchedPicture> {
    const userId = account.user.id;
    const stored = queries.findAll(userId, [url]).get(url);
    if (stored) return { url, field, picture: stored };
    makeRoom(account, 0, 1);
    checkCount(userId, field);
    const party = accountParty(userId);
    const { body } = await fetcher.get(url, { maxBytes: maxPictureBytes, field, party });
    return { url, field, picture: await fitImage(body, box, { field, party }) };
  }

  /**
   * Stores pictures, in the transaction that saves the page which shows them: before that, whatever sweeps would take
   * them for left over. Throws 400 naming the field: `storage_full` or `too_many_pictures`.
   */
  function store(account: Account, fetched: readonly FetchedPicture[]): void {
    const userId = account.user.id;
    const missing = fetched.filter(({ url }) => !queries.show(userId, url));
    const bytes = missing.reduce((sum, { picture }) => sum + picture.body.length, 0);
    // Once and first: none of those that are stored now is on a page yet.
    makeRoom(account, bytes, missing.length);
    for (const { url, field, picture } of fetched) {
      if (queries.show(userId, url)) continue;
      checkCount(userId, field);
      const token = randomBytes(16).toString('hex');
      quota.within(account, field, () => queries.store(userId, url, token, picture));
    }
  }

  return {
    fetch: fetchPicture,
    store,
    /** Fetches a picture for a draft and stores it; it is kept until the next clean-up. Throws 400 with the field. */
    async keepForDraft(account: Account, url: string, field: string): Promise<void> {
      // Drafts can use stored pictures, but do not publish them.
      if (queries.findAll(account.user.id, [url]).size > 0) return;
      const fetched = await fetchPicture(account, url, field);
      transactions.atomically(() => store(account, [fetched]));
    },
    /**
     * Stores an uploaded picture, and returns the URL that fields of pages, domains and accounts accept. Throws 400:
     * `invalid_image`, `storage_full` or `too_many_pictures`.
     */
    async upload(account: Account, picture: string): Promise<string> {
      const field = 'picture';
      const userId = account.user.id;
      const content = readDataAddress(picture);
      if (!content) throw rejected('invalid_image', field, 'Choose a PNG or JPEG picture.');
      const fitted = await fitImage(content, box, { field, party: accountParty(userId) });
      const token = randomBytes(16).toString('hex');
      const url = `${baseUrl()}/img/${token}`;
      transactions.atomically(() => {
        makeRoom(account, fitted.body.length, 1);
        checkCount(userId, field);
        quota.within(account, field, () => queries.storeUpload(userId, url, token, fitted, now()));
      });
      return url;
    },
    sweep: (userId: number): void => queries.sweep(userId),
  };
}

export type PictureService = ReturnType<typeof pictureService>;
