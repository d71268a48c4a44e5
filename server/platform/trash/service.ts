import type { Transactions } from '../database/transactions.ts';
import { notFound, unavailable } from '../errors.ts';
import type { ChangedResource, Changes } from '../events/changes.ts';
import type { Account } from '../http/caller.ts';
import type { Slices } from '../jobs/slices.ts';
import { trashMs } from './duration.ts';
import type { MovingRow, TrashQueries } from './queries.ts';
import type { TrashResource } from './sources.ts';

interface Options {
  queries: TrashQueries;
  transactions: Transactions;
  slices: Pick<Slices, 'run'>;
  changes: Pick<Changes, 'publish'>;
  /** Told of each deletion. */
  onRemoved: () => void;
  now: () => number;
  monotonic: () => number;
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
   * Everything that `reinsert` needs, as plain JSON, but the rows that `sourcesOf` tells of. Its shape is the
   * resource's own affair, but that pictures of pages stay stored while their addresses stand in `pictures`.
   */
  contentOf(row: Row, account: Account): Content;
  /** Removes the record and detaches what refers to it. Its rows are in the trash by then. */
  remove(id: number, userId: number): void;
  /** Puts the record back under its id, with those references that still fit. Throws where it has no room any more. */
  reinsert(content: Content, account: Account): void;
}

/** What moves a record of some resource on: `finish` ends a deletion, `publish` tells the live pages. */
interface Kind {
  finish(id: number, userId: number): void;
  publish(id: number, userId: number): void;
}

/**
 * Steps that are taken at once, and milliseconds for them: a record with few rows is deleted or restored in one
 * transaction.
 */
const first = { steps: 3, ms: 1 };

/**
 * Keeps what was deleted, so that it can be restored with its id. What hangs on a record moves a slice at a time; how
 * far it is stands in the database, and `step` takes up what a stop left undone.
 */
export function trash({ queries, transactions, slices, changes, onRemoved, now, monotonic }: Options) {
  const kinds = new Map<TrashResource, Kind>();

  /** Moves some rows of a record into the trash or out of it; false once all of it is there. */
  function move(moving: MovingRow | undefined): boolean {
    if (!moving) return false;
    const { resource, id, userId, state } = moving;
    if (state === 'leaving') {
      if (queries.takePart(moving)) return true;
      kinds.get(resource)?.finish(id, userId);
      queries.finish(resource, id);
    } else {
      if (queries.restorePart(moving)) return true;
      queries.remove(resource, id);
    }
    return false;
  }

  const moveOn = (resource: TrashResource, id: number): boolean => move(queries.findMoving(resource, id));

  /**
   * Begins in one transaction, with which a small record is over; the rest goes in slices. `begun` is told of a large
   * one. Throws 503 on a stop.
   */
  async function moveAll(
    resource: TrashResource,
    id: number,
    begin: () => void,
    begun = () => {},
  ): Promise<void> {
    const isOver = transactions.atomically(() => {
      begin();
      const end = monotonic() + first.ms;
      for (let step = 0; step < first.steps; step += 1) {
        if (!moveOn(resource, id)) return true;
        if (monotonic() >= end) return false;
      }
      return false;
    });
    if (isOver) return;
    begun();
    if (await slices.run(() => moveOn(resource, id))) return;
    throw unavailable('The server is stopping. It goes on with this after its next start.');
  }

  return {
    /** Deletion with undo for one resource, told after it is committed. */
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

      kinds.set(resource, {
        finish: kind.remove,
        publish,
      });

      return {
        get,

        /** Moves a record into the trash. It is gone at once, of very many rows some follow for a while. Throws 404. */
        async remove(id: number, account: Account): Promise<void> {
          const userId = account.user.id;
          const begin = () => {
            const content = JSON.stringify(kind.contentOf(get(id, account), account));
            queries.insert(resource, id, userId, content, now());
          };
          await moveAll(resource, id, begin, () => publish(id, userId));
          publish(id, userId);
          onRemoved();
        },

        /** Takes a deletion back. Throws 404 when nothing of this account is in the trash, or no longer. */
        async restore(id: number, account: Account): Promise<Row> {
          const userId = account.user.id;
          await moveAll(resource, id, () => {
            const content = queries.find(resource, id, userId, now() - trashMs);
            if (content === undefined) throw notFound(label);
            // Only `remove` writes here, and each resource reads its own.
            kind.reinsert(JSON.parse(content) as Content, account);
            queries.beginRestore(resource, id);
          });
          publish(id, userId);
          return get(id, account);
        },
      };
    },

    /** Moves some rows of what a stop left on its way; false when there is nothing. */
    step(): boolean {
      const moving = queries.nextMoving();
      if (!moving) return false;
      if (!move(moving)) kinds.get(moving.resource)?.publish(moving.id, moving.userId);
      return true;
    },
  };
}

export type Trash = ReturnType<typeof trash>;
