import { notFound } from '../errors.ts';
import type { RemovalQueries, RemovedResource } from './queries.ts';

/** How long a deleted thing can be brought back: as long as a deleted link (decision 0013). Milliseconds. */
export const keptMs = 30 * 86_400_000;

interface Options {
  queries: RemovalQueries;
  now: () => number;
}

/** Keeps what was deleted, so that it can be brought back with its id. Runs inside a transaction of the caller. */
export function removals({ queries, now }: Options) {
  return {
    /**
     * Keeps a thing that is about to go, with the rows that belong to it. `content` is plain JSON; its shape is the
     * resource's own affair, but that pictures of pages stay stored while their addresses stand in `pictures`.
     */
    keep(resource: RemovedResource, id: number, userId: number, content: object): void {
      queries.keep(resource, id, userId, JSON.stringify(content), now());
    },

    /**
     * Takes a deletion back: `write` puts the thing where it was. Throws 404 when there is nothing of this account, or
     * no longer; `noun` starts that sentence.
     */
    bringBack<Content extends object, Result>(
      { resource, noun }: { resource: RemovedResource; noun: string },
      id: number,
      userId: number,
      write: (content: Content) => Result,
    ): Result {
      const content = queries.find(resource, id, userId, now() - keptMs);
      if (content === undefined) throw notFound(noun);
      // Only `keep` writes here, and each resource reads its own.
      const result = write(JSON.parse(content) as Content);
      queries.restoreBelongings(resource, id);
      queries.remove(resource, id);
      return result;
    },
  };
}

export type Removals = ReturnType<typeof removals>;
