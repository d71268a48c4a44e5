/**
 * Matches cells that a spreadsheet would treat as a formula. Leading apostrophes are included so that escaping is
 * reversible, and full-width signs (U+FF1D and others) because some spreadsheets accept them.
 */
const formula = /^'*\s*[=+\-@＝＋－＠\t\r\n]/u;

/** Escapes a cell against formula injection by adding an apostrophe if necessary. */
export function protectedCell(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** Reverses `protectedCell`, also if another program added the apostrophe. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}

/**
 * One row with all cells quoted: a spreadsheet that separates by semicolons would otherwise start a cell in the middle
 * of a text (T-26).
 */
export function csvLine(row: readonly (string | number)[]): string {
  const cells = row.map((value) =>
    typeof value === 'number' ? String(value) : `"${protectedCell(value).replaceAll('"', '""')}"`,
  );
  return `${cells.join(',')}\r\n`;
}
