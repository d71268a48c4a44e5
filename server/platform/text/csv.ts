import { protectedCell } from '../../contract/csv-cells.ts';

type Row = readonly (string | number)[];

/**
 * A table as CSV (RFC 4180) with a header. A cell that a spreadsheet would take for a formula gets an apostrophe before
 * it: what visitors wrote must not run on the machine of whoever opens the file.
 */
export function csvOf(header: readonly string[], rows: readonly Row[]): string {
  return csvRows([header, ...rows]);
}

/** Some rows of such a table. */
export function csvRows(rows: readonly Row[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = protectedCell(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
