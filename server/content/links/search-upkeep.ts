import type { Connection } from '../../platform/database/connect.ts';
import type { Backlog } from '../../platform/jobs/backlog.ts';
import { nextMerged, readSegments, type SegmentLevel } from './search-segments.ts';

export interface SearchUpkeep {
  /** Call it after each commit. */
  committed(): void;
}

/**
 * Pages that one step merges: about a millisecond. With a larger number, FTS5 would go on with the next level, however
 * large that is, if one has little to merge.
 */
const pagesPerStep = 1;
/**
 * Pages of the segments of a level up to which they are merged. Whatever contains a word is merged in one step, however
 * much that is, and in "https" all links have the same three letters: of an index of a million links this takes 200 ms,
 * of a thousand pages some milliseconds. Larger segments stay as they are, and a search looks into each of them.
 */
const mostMergedPages = 1_000;
/** The number of segments of an index at which they are merged nevertheless: FTS5 can have 2,000. */
const mostSegments = 500;
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
  let commits = 0;

  /** Whether there is something to merge. Trying without it would be a synced commit once a minute. */
  function isPending(): boolean {
    const record = structure.get(structureRow);
    return record !== undefined && isWorthMerging(readSegments(record));
  }

  const wake = backlog.add({
    name: 'index of searches',
    step() {
      if (!isPending()) return false;
      const before = changes.get() ?? 0;
      merge.run();
      // A merge that finds nothing to do changes less than two rows (SQLite, FTS5, 6.7).
      return (changes.get() ?? 0) - before >= 2;
    },
  });

  return {
    committed() {
      commits += 1;
      if (commits < commitsBetween) return;
      commits = 0;
      if (isPending()) void wake();
    },
  };
}

/** Whether FTS5 would merge segments that are small enough, or go on with a merge. */
function isWorthMerging(levels: readonly SegmentLevel[]): boolean {
  const next = nextMerged(levels);
  if (!next) return false;
  if (next.merging > 0 || pagesOf(next) <= mostMergedPages) return true;
  return levels.reduce((count, { pages }) => count + pages.length, 0) > mostSegments;
}

function pagesOf({ pages }: SegmentLevel): number {
  return pages.reduce((sum, each) => sum + each, 0);
}
