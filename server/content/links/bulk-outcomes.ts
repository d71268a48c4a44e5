import { mostBulkRows } from '../../contract/links.ts';

/** What happened, or would happen, to one link of a bulk action. */
export interface BulkRow {
  id: number;
  outcome: 'done' | 'unchanged' | 'refused' | 'not_found';
  code?: string;
}

/** The number of changed links above which live pages are told only that links have changed. */
const mostTold = 1_000;

/**
 * The results of an action's links. Summed up while they are processed, so that nothing iterates over all of them at
 * the end, and no more are kept than are returned.
 */
export function bulkOutcomes() {
  const counts = { done: 0, unchanged: 0, refused: 0, not_found: 0 };
  const codes: Record<string, number> = {};
  const first: BulkRow[] = [];
  const left: BulkRow[] = [];
  const changed: number[] = [];
  let total = 0;

  return {
    counts,
    /** How often each reason was given. */
    codes,
    /** How many links were noted. */
    total: (): number => total,

    note(row: BulkRow): void {
      const { id, outcome, code } = row;
      total += 1;
      counts[outcome] += 1;
      if (code !== undefined) codes[code] = (codes[code] ?? 0) + 1;
      if (first.length < mostBulkRows) first.push(row);
      if (outcome !== 'done' && left.length < mostBulkRows) left.push(row);
      if (outcome === 'done' && changed.length <= mostTold) changed.push(id);
    },

    /** In order; if there are too many, unchanged links come first, since clients must know about those. */
    shown(): BulkRow[] {
      if (total <= mostBulkRows) return first;
      const done = first.filter(({ outcome }) => outcome === 'done');
      return [...left, ...done].slice(0, mostBulkRows);
    },

    /** Ids of the changed links; none where they are many. */
    told: (): number[] => (changed.length > mostTold ? [] : changed),
  };
}

export type BulkOutcomes = ReturnType<typeof bulkOutcomes>;
