import type { ImportedRow, importConflicts } from '../../../server/contract/import.ts';
import type { FileRow, RowFault } from '../../../server/contract/import-rows.ts';
import { isSame } from '../../ui/record-changes.ts';

export type Conflict = (typeof importConflicts)[number];

/** Outcome of a row, expected or actual; `broken` rows are never sent. */
export type RowOutcome = ImportedRow['outcome'] | 'broken';

/** In display order. */
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
  /** Stable reason code; a RowFault for broken rows. */
  readonly code?: string;
  /** The server's message. */
  readonly message?: string;
  /** All reason codes, if the message has several. */
  readonly codes?: readonly string[];
  /** The field that caused the problem. */
  readonly field?: string;
  readonly id?: number;
  readonly shorturl?: string;
}

/** The result of a row that is known without asking the server; undefined for rows to be sent. */
export function knownResult(row: FileRow): RowResult | undefined {
  return row.fault ? { outcome: 'broken', code: row.fault satisfies RowFault } : undefined;
}

/**
 * Corrects the dry run for duplicates within the file: each batch is checked independently, so an alias taken by an
 * earlier batch looks available. The actual outcome depends on the conflict setting. `domainOf` returns the host of a
 * row's link.
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
    // Replacing also applies the row's settings if the destination is the same.
    const changesNothing = conflict === 'replace' ? isSame(earlier, row) : earlier.url === row.url;
    if (changesNothing) return { outcome: 'exists' };
    if (conflict === 'replace') takenBy.set(key, row);
    return conflict === 'skip' ? { outcome: 'skip', code: 'alias_taken' } : { outcome: conflict };
  });
}

/** Number of rows per outcome. */
export function countOutcomes(results: readonly (RowResult | undefined)[]): Record<RowOutcome, number> {
  const counts = Object.fromEntries(rowOutcomes.map((outcome) => [outcome, 0])) as Record<RowOutcome, number>;
  for (const result of results) if (result) counts[result.outcome] += 1;
  return counts;
}

/** Outcomes that need the user's attention. */
export function isTrouble(outcome: RowOutcome): boolean {
  return outcome === 'skip' || outcome === 'problem' || outcome === 'broken';
}
