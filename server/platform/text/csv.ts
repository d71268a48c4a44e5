import { protectedCell } from '../../contract/csv-cells.ts';

/**
 * A table as CSV (RFC 4180) with a header. A cell that a spreadsheet would take for a formula gets an apostrophe before it:
 * what visitors wrote must not run on the machine of whoever opens the file.
 */
export function csvOf(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

/**
 * One row with every text in quotes, for files that are opened by double click: a spreadsheet that separates by semicolons
 * would otherwise begin a cell in the middle of a text (T-26).
 */
export function csvLine(row: readonly (string | number)[]): string {
  const cells = row.map((value) =>
    typeof value === 'number' ? String(value) : `"${protectedCell(value).replaceAll('"', '""')}"`,
  );
  return `${cells.join(',')}\r\n`;
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = protectedCell(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
