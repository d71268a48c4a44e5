import { featureCheck } from '../../identity/plans/feature-check.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { Trash } from '../../platform/trash/service.ts';
import type { LinkReferences } from '../links/references.ts';
import type { FetchedPicture, PictureService } from '../pictures/service.ts';

/** The dependencies of every type of interstitial. */
export interface InterstitialParts {
  references: Pick<LinkReferences, 'readDestination' | 'readAddress'>;
  pictures: PictureService;
  trash: Trash;
  transactions: Transactions;
  now: () => number;
  changes: Pick<Changes, 'publish'>;
}

interface Kind<Row> {
  /** Starts a sentence: "Overlay was not found.". */
  label: string;
  /** The plan's switch. */
  feature: 'overlay' | 'splash';
  resource: 'overlays' | 'splash';
  /** Addresses of the pictures that it shows. */
  picturesOf: (row: Row) => (string | null)[];
  queries: {
    find(id: number, userId: number): Row | undefined;
    count(userId: number): number;
    remove(id: number): void;
    /** Puts one that was removed back under its id. */
    reinsert(row: Row, userId: number): void;
  };
}

/** One in the trash. */
interface Trashed<Row> {
  row: Row;
  pictures: string[];
}

const ceilingOf = { overlays: 'overlays', splash: 'splashPages' } as const;

/** What overlays and splash pages have in common: an owner, a plan's quota, pictures, and links that use them. */
export function interstitial<Row extends { id: number }>(parts: InterstitialParts, kind: Kind<Row>) {
  const { references, pictures, trash, transactions, changes } = parts;
  const { label, feature, resource, picturesOf, queries } = kind;
  const checkPlan = featureCheck(feature, label.toLowerCase(), ceilingOf[resource], queries.count);

  const { get, remove, restore } = trash.removable<Row, Trashed<Row>>({
    resource,
    label,
    affects: ['links'],
    find: queries.find,
    contentOf: (row) => ({
      row,
      pictures: picturesOf(row).filter((url) => url !== null),
    }),
    remove(id, userId) {
      queries.remove(id);
      pictures.sweep(userId);
    },
    reinsert({ row }, { user }) {
      queries.reinsert(row, user.id);
      pictures.sweep(user.id);
    },
  });

  return {
    get,
    checkPlan,

    /** An address by the rules of destinations; null for none. Throws 400. */
    readAddress: (text: string | null | undefined, field: string): string | null =>
      text ? references.readDestination(text, field) : null,

    /** The URL of a picture, which may be one of this instance; null for none. Throws 400. */
    readPicture: (text: string | null | undefined, field: string): string | null =>
      text ? references.readAddress(text, field) : null,

    /** Fetches pictures that are not here yet. Keys are the fields that a refusal names. Throws 400. */
    async fetchPictures(
      account: Account,
      addresses: Readonly<Record<string, string | null>>,
    ): Promise<FetchedPicture[]> {
      const fetched: FetchedPicture[] = [];
      for (const [field, url] of Object.entries(addresses)) {
        if (url) fetched.push(await pictures.fetch(account, url, field));
      }
      return fetched;
    },

    /** Saves a page together with the pictures that it shows. Throws 400 when they do not fit. */
    save<Result>(account: Account, fetched: readonly FetchedPicture[], write: () => Result): Result {
      return transactions.atomically(() => {
        pictures.store(account, fetched);
        return write();
      });
    },

    /** After a change: unused pictures are deleted, and live pages notified. */
    changed(userId: number, id: number): void {
      pictures.sweep(userId);
      changes.publish({ accountId: userId, resource, ids: [id] });
    },

    /** Its links then lead directly to their destinations. */
    remove,

    /**
     * Undoes a deletion, for those of its links that still lead directly to their destinations. Throws 404 if there is
     * nothing to restore, 403 `plan_required` if the quota is used up.
     */
    async restore(id: number, account: Account): Promise<void> {
      checkPlan(account, true);
      await restore(id, account);
    },
  };
}
