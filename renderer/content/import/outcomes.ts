import type { ImportedRow, importConflicts } from '../../../server/contract/import.ts';
import type { FileRow, RowFault } from '../../../server/contract/import-rows.ts';
import { isSame } from '../../ui/record-changes.ts';

export type Conflict = (typeof importConflicts)[number];

/** What a row does, or did; `broken` are those that are never sent. */
export type RowOutcome = ImportedRow['outcome'] | 'broken';

/** In the order in which they are shown. */
export const rowOutcomes: readonly RowOutcome[] = [
  'create',
  'rename',
  'replace',
  'exists',
  'skip',
  'problem',
  'broken',
];

export interface RowResult {
  readonly outcome: RowOutcome;
  /** Stable reason; of a broken row it is a RowFault. */
  readonly code?: string;
  /** The server's sentence. */
  readonly message?: string;
  /** Every reason, where the sentence tells of several. */
  readonly codes?: readonly string[];
  /** The field that a problem is about. */
  readonly field?: string;
  readonly id?: number;
  readonly shorturl?: string;
}

/** The result that a row has before anyone is asked; undefined for rows that are to be sent. */
export function knownResult(row: FileRow): RowResult | undefined {
  return row.fault ? { outcome: 'broken', code: row.fault satisfies RowFault } : undefined;
}

/**
 * Corrects a rehearsal for what it cannot know: each slice is rehearsed for itself, so an alias that an earlier slice
 * of the same file takes looks free. What really happens then depends on the choice for conflicts. `domainOf` says on
 * which domain a row's link will be.
 */
export function withEarlierRows(
  rows: readonly FileRow[],
  results: readonly (RowResult | undefined)[],
  conflict: Conflict,
  domainOf: (row: FileRow['row']) => string = ({ domain, shorthost }) => domain ?? shorthost ?? '',
): (RowResult | undefined)[] {
  const takenBy = new Map<string, FileRow['row']>();
  return results.map((result, index) => {
    const row = rows[index]?.row;
    if (!row?.alias || result?.outcome !== 'create') return result;
    const key = `${domainOf(row)} ${row.alias.normalize('NFC')}`;
    const earlier = takenBy.get(key);
    if (earlier === undefined) {
      takenBy.set(key, row);
      return result;
    }
    // Replacing brings the settings of a row along, also where the destination is the same.
    const changesNothing = conflict === 'replace' ? isSame(earlier, row) : earlier.url === row.url;
    if (changesNothing) return { outcome: 'exists' };
    if (conflict === 'replace') takenBy.set(key, row);
    return conflict === 'skip' ? { outcome: 'skip', code: 'alias_taken' } : { outcome: conflict };
  });
}

/** How many rows have each outcome. */
export function countOutcomes(results: readonly (RowResult | undefined)[]): Record<RowOutcome, number> {
  const counts = Object.fromEntries(rowOutcomes.map((outcome) => [outcome, 0])) as Record<RowOutcome, number>;
  for (const result of results) if (result) counts[result.outcome] += 1;
  return counts;
}

/** Outcomes that a person should look at. */
export function isTrouble(outcome: RowOutcome): boolean {
  return outcome === 'skip' || outcome === 'problem' || outcome === 'broken';
}
