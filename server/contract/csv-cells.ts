/**
 * What a spreadsheet takes for a formula, also behind apostrophes, so that the added one can be told from those of a
 * text; some take the wide signs of East Asian keyboards (U+FF1D and its like) for the others.
 */
const formula = /^'*\s*[=+\-@＝＋－＠\t\r\n]/u;

/** A text as a cell that no spreadsheet takes for a formula: such a one gets an apostrophe before it. */
export function protectedCell(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** The text of a cell: without the apostrophe that keeps it from being a formula, whoever added it. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}

/**
 * One row with every text in quotes, for files that are opened by double click: a spreadsheet that separates by
 * semicolons would otherwise begin a cell in the middle of a text (T-26).
 */
export function csvLine(row: readonly (string | number)[]): string {
  const cells = row.map((value) =>
    typeof value === 'number' ? String(value) : `"${protectedCell(value).replaceAll('"', '""')}"`,
  );
  return `${cells.join(',')}\r\n`;
}
