import { protectedCell } from '../../contract/csv-cells.ts';

type Row = readonly (string | number)[];

/**
 * A table as CSV (RFC 4180) with a header. Cells that a spreadsheet would evaluate as formulas get an apostrophe: what
 * visitors entered must not run on the reader's machine.
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
