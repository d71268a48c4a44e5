import type { RemovalQueries, RemovedResource } from './queries.ts';

/** How long a deleted thing can be brought back: as long as a deleted link (decisions, section 4). */
const keptMs = 30 * 86_400_000;

interface Options {
  queries: RemovalQueries;
  now: () => number;
}

/** Keeps what was deleted, so that it can be brought back with its id. Runs inside a transaction of the caller. */
export function removals({ queries, now }: Options) {
  return {
    /** Keeps a thing that is about to go. `content` is plain JSON; its shape is the resource's own affair. */
    keep(resource: RemovedResource, id: number, userId: number, content: object): void {
      queries.removeBefore(now() - keptMs);
      queries.insert(resource, id, userId, JSON.stringify(content), now());
    },

    /** What was kept, and kept no longer; undefined when there is nothing of this account, or no longer. */
    take<Content extends object>(resource: RemovedResource, id: number, userId: number): Content | undefined {
      const content = queries.find(resource, id, userId, now() - keptMs);
      if (content === undefined) return undefined;
      queries.remove(resource, id);
      // Only `keep` writes here, and each resource reads its own.
      return JSON.parse(content) as Content;
    },
  };
}

export type Removals = ReturnType<typeof removals>;
