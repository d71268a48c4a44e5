import type { Connection } from '../../platform/database/connect.ts';
import type { Backlog } from '../../platform/jobs/backlog.ts';

export interface SearchUpkeep {
  /** Call it after each commit. */
  committed(): void;
}

/** Pages that one step merges: about a millisecond each. */
const pagesPerStep = 2;
/** Commits between two checks of the index: each that changes a search adds a segment to the index. */
const commitsBetween = 16;
/** Where FTS5 keeps which parts its index has. */
const structureRow = 10;

/**
 * Keeps the number of segments of the search index low. FTS5 would merge them in the commit that exceeds its limit, up
 * to a thousand pages at once, and every redirect would wait. The migration `counted-lists` disables that, and here it
 * is done in slices.
 */
export function searchUpkeep(database: Connection, backlog: Backlog): SearchUpkeep {
  const merge = database.prepare(
    `INSERT INTO links_search (links_search, rank) VALUES ('merge', ${pagesPerStep})`,
  );
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  const structure = database
    .prepare<[number], Buffer>('SELECT block FROM links_search_data WHERE id = ?')
    .pluck();
  let merged: Buffer = Buffer.alloc(0);
  let commits = 0;

  const wake = backlog.add({
    name: 'index of searches',
    step() {
      // Unchanged since: trying would be a synced commit once a minute.
      if (merged.equals(structure.get(structureRow) ?? merged)) return false;
      const before = changes.get() ?? 0;
      merge.run();
      // A merge that finds nothing to do changes less than two rows (SQLite, FTS5, 6.7).
      const isMore = (changes.get() ?? 0) - before >= 2;
      if (!isMore) merged = structure.get(structureRow) ?? merged;
      return isMore;
    },
  });

  return {
    committed() {
      commits += 1;
      if (commits < commitsBetween) return;
      commits = 0;
      if (!merged.equals(structure.get(structureRow) ?? merged)) void wake();
    },
  };
}
