import Papa from 'papaparse';
import type { FileRow } from '../../../server/contract/import-rows.ts';

/**
 * Skipped rows as a CSV file with their original columns, line number and reason, to be fixed and imported again. Cells
 * that a spreadsheet would execute as a formula are escaped.
 */
export function problemFile(
  columns: readonly string[],
  rows: readonly { row: FileRow; reason: string }[],
  heads: { line: string; reason: string },
): string {
  const table = rows.map(({ row, reason }) => [
    ...columns.map((_, index) => row.cells[index] ?? ''),
    String(row.line),
    reason,
  ]);
  return Papa.unparse(
    { fields: [...columns, heads.line, heads.reason], data: table },
    { escapeFormulae: true, newline: '\n' },
  );
}
