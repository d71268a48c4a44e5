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
  /** Called for each deletion. */
  onRemoved: () => void;
  now: () => number;
  monotonic: () => number;
}

/** How the records of a resource are found, removed and restored. */
interface Removable<Row, Content> {
  resource: TrashResource;
  /** Starts the sentence of a 404: "Campaign was not found.". */
  label: string;
  /** Other resources that change when a record is deleted or restored; their live pages are updated. */
  affects?: readonly ChangedResource[];
  find(id: number, userId: number): Row | undefined;
  /**
   * Everything that `reinsert` needs, as plain JSON, except the rows from `sourcesOf`. Its shape is up to the
   * resource, but pictures of pages are kept as long as their URLs are in `pictures`.
   */
  contentOf(row: Row, account: Account): Content;
  /** Removes the record and detaches references to it. Its rows are already in the trash. */
  remove(id: number, userId: number): void;
  /** Restores the record under its id, with the references that are still valid. Throws if the quota is used up. */
  reinsert(content: Content, account: Account): void;
}

/** Advances a record of any resource: `finish` ends a deletion, `publish` updates live pages. */
interface Kind {
  finish(id: number, userId: number): void;
  publish(id: number, userId: number): void;
}

/**
 * The number of steps, and milliseconds, of the first transaction: a record with few rows is deleted or restored in
 * it.
 */
const first = { steps: 3, ms: 1 };

/**
 * Stores deleted records so that they can be restored with their ids. A record's rows are moved in slices; the
 * progress is stored in the database, and `step` resumes what a stop interrupted.
 */
export function trash({ queries, transactions, slices, changes, onRemoved, now, monotonic }: Options) {
  const kinds = new Map<TrashResource, Kind>();

  /** Moves some rows of a record to or from the trash; false once all are moved. */
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
   * Starts with one transaction, which completes small records; the rest is done in slices. `begun` is called for a
   * large one. Throws 503 on a stop.
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
    throw unavailable('The server is stopping. It continues after its next start.');
  }

  return {
    /** Deletion with undo for one resource, published after the commit. */
    removable<Row, Content extends object>(kind: Removable<Row, Content>) {
      const { resource, label, affects = [] } = kind;

      /** Throws 404 for records of other accounts. */
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

        /**
         * Moves a record to the trash. It disappears immediately; if it has very many rows, some follow later. Throws
         * 404.
         */
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

        /** Undoes a deletion. Throws 404 if the record is not in this account's trash, or no longer. */
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

    /** Moves some rows of a record interrupted by a stop; false if there is none. */
    step(): boolean {
      const moving = queries.nextMoving();
      if (!moving) return false;
      if (!move(moving)) kinds.get(moving.resource)?.publish(moving.id, moving.userId);
      return true;
    },
  };
}

export type Trash = ReturnType<typeof trash>;
