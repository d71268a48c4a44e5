import type { Transactions } from '../database/transactions.ts';
import { notFound } from '../errors.ts';
import type { ChangedResource, Changes } from '../events/changes.ts';
import type { Account } from '../http/caller.ts';
import type { TrashQueries, TrashResource } from './queries.ts';

/** How long a deleted record can be restored: as long as a deleted link (decision 0013). Milliseconds. */
export const trashMs = 30 * 86_400_000;

interface Options {
  queries: TrashQueries;
  transactions: Transactions;
  changes: Pick<Changes, 'publish'>;
  now: () => number;
}

/** How the records of one resource are found, removed and put back. */
interface Removable<Row, Content> {
  resource: TrashResource;
  /** Starts the sentence of a 404: "Campaign was not found.". */
  label: string;
  /** What else looks different once a record is deleted or restored; its live pages are told. */
  affects?: readonly ChangedResource[];
  find(id: number, userId: number): Row | undefined;
  /**
   * Everything that `reinsert` needs, as plain JSON. Its shape is the resource's own affair, but that pictures of pages
   * stay stored while their addresses stand in `pictures`.
   */
  contentOf(row: Row, account: Account): Content;
  /** Removes the record and detaches what refers to it. Its children are in the trash by then. */
  remove(row: Row, account: Account): void;
  /** Puts the record back under its id, with those references that still fit. Throws where it has no room any more. */
  reinsert(content: Content, account: Account): void;
}

/** Keeps what was deleted, so that it can be restored with its id. */
export function trash({ queries, transactions, changes, now }: Options) {
  return {
    /** Deletion with undo for one resource: each is one transaction, told after its commit. */
    removable<Row, Content extends object>(kind: Removable<Row, Content>) {
      const { resource, label, affects = [] } = kind;

      /** Throws 404 for what is not the account's. */
      function get(id: number, { user }: Account): Row {
        const row = kind.find(id, user.id);
        if (!row) throw notFound(label);
        return row;
      }

      function publish(id: number, accountId: number): void {
        changes.publish({ accountId, resource, ids: [id] });
        for (const affected of affects) changes.publish({ accountId, resource: affected, ids: [] });
      }

      return {
        get,

        /** Moves a record into the trash. Throws 404. */
        remove(id: number, account: Account): void {
          transactions.atomically(() => {
            const row = get(id, account);
            const content = JSON.stringify(kind.contentOf(row, account));
            queries.insert(resource, id, account.user.id, content, now());
            kind.remove(row, account);
          });
          publish(id, account.user.id);
        },

        /** Takes a deletion back. Throws 404 when nothing of this account is in the trash, or no longer. */
        restore(id: number, account: Account): Row {
          const userId = account.user.id;
          transactions.atomically(() => {
            const content = queries.find(resource, id, userId, now() - trashMs);
            if (content === undefined) throw notFound(label);
            // Only `remove` writes here, and each resource reads its own.
            kind.reinsert(JSON.parse(content) as Content, account);
            queries.restoreChildren(resource, id);
            queries.remove(resource, id);
          });
          publish(id, userId);
          return get(id, account);
        },
      };
    },
  };
}

export type Trash = ReturnType<typeof trash>;
