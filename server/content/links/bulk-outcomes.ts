import { mostBulkRows } from '../../contract/links.ts';

/** What happened, or would happen, to one link of a bulk action. */
export interface BulkRow {
  id: number;
  outcome: 'done' | 'unchanged' | 'refused' | 'not_found';
  code?: string;
}

/** From how many changed links on live pages are told that links have changed, and not which. */
const mostTold = 1_000;

/**
 * What became of the links of an action. It is summed up while they are done, so that nothing goes over all of them at
 * the end, and it keeps no more of them than are shown.
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

    /**
     * In their order; where they are too many those first that were left as they were: they are what a client must know
     * of.
     */
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
