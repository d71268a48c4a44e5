import { keptDeleted } from '../../contract/trash.ts';
import type { Core } from '../core.ts';
import { creators } from '../database/authorship.ts';
import type { Module } from '../module.ts';
import { type LeftPictures, trashJob } from './job.ts';
import { heldRemovals, trashQueries } from './queries.ts';
import { type Trash, trash } from './service.ts';
import { hasPictures, type TrashResource } from './sources.ts';
import { earlyTrim, trimJob } from './trim-job.ts';

interface Options {
  pictures: LeftPictures;
}

/** Sets up the storage of deleted records while they can be restored. */
export function trashModule(core: Core, { pictures }: Options): Module & { trash: Trash } {
  const { databases, transactions, slices, backlog, changes, clock } = core;
  const queries = trashQueries(databases.main);
  const { now, monotonic } = clock;
  const each = keptDeleted.records;
  const trim = trimJob({
    name: 'deleted-records-kept',
    each,
    counts: heldRemovals,
    ...{ reader: core.reader, transactions, slices, audit: core.audit },
    removeOldest({ resource, account, creator }) {
      // The names in the table are those of its check.
      const kind = resource as TrashResource;
      const id = queries.findOldest(kind, account, creator);
      if (id === undefined) return undefined;
      if (queries.removeParts(kind, id)) return 0;
      queries.remove(kind, id);
      return 1;
    },
    async onRemoved(holders) {
      const pages = holders.filter(({ resource }) => hasPictures(resource));
      for (const account of new Set(pages.map((holder) => holder.account))) {
        transactions.atomically(() => pictures.sweep(account));
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    nameOf: creators(databases.main).nameOf,
  });
  const records = trash({
    ...{ queries, transactions, slices, changes, now, monotonic },
    onRemoved: earlyTrim(core.jobs.add(trim), each),
  });
  // Nothing triggers it: deleting and restoring do all the work themselves. The next start resumes what a stop
  // interrupted.
  backlog.add({ name: 'trash', step: records.step });
  return {
    trash: records,
    jobs: [trashJob({ queries, transactions, pictures, clock, now })],
  };
}
