import Papa from 'papaparse';
import type { FileRow } from '../../../server/contract/import-rows.ts';

/**
 * The rows that were left out, as a CSV file with the columns they came with, their line and the reason, so that they
 * can be mended and imported again. Cells that a spreadsheet would run as a formula are disarmed.
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
