import { quietSeconds } from '../../platform/concurrency/quiet-seconds.ts';
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
 * Pages of the segments of a level up to which they are merged at any time. All that contains a word is merged in one
 * step, however much that is, and all links contain some words, as "https": of a million links this takes 200 ms.
 * Larger levels wait for a quiet second; meanwhile a search looks into each of their segments.
 */
const mostMergedPages = 1_500;
/** The number of segments of an index at which they are merged nevertheless: FTS5 can have 2,000. */
const mostSegments = 1_500;
/** Commits between two checks of the index: each that changes a search adds a segment to the index. */
const commitsBetween = 16;
/** Where FTS5 keeps which parts its index has. */
const structureRow = 10;

/**
 * Keeps the number of segments of the search index low. FTS5 would merge them in the commit that exceeds its limit, up
 * to a thousand pages at once, and every redirect would wait. The migration `counted-lists` disables that, and here it
 * is done in slices.
 */
export function searchUpkeep(
  database: Connection,
  backlog: Backlog,
  isQuiet: () => boolean = quietSeconds(),
): SearchUpkeep {
  const merge = database.prepare(
    `INSERT INTO links_search (links_search, rank) VALUES ('merge', ${pagesPerStep})`,
  );
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  const structure = database
    .prepare<[number], Buffer>('SELECT block FROM links_search_data WHERE id = ?')
    .pluck();
  let commits = 0;

  /** Whether there is something to merge now. Trying without it would be a synced commit once a minute. */
  function isPending(): boolean {
    const record = structure.get(structureRow);
    if (!record) return false;
    const levels = readSegments(record);
    const next = nextMerged(levels);
    if (!next) return false;
    return pagesOf(next) <= mostMergedPages || countOf(levels) > mostSegments || isQuiet();
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

function pagesOf({ pages }: SegmentLevel): number {
  return pages.reduce((sum, each) => sum + each, 0);
}

function countOf(levels: readonly SegmentLevel[]): number {
  return levels.reduce((count, { pages }) => count + pages.length, 0);
}
