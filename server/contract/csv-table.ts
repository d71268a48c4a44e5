/** One record of a CSV file: its cells, and the line that it starts on (a quoted cell may span several). */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly records: readonly CsvRecord[];
  /** The line of an opening quote that is never closed; what follows it cannot be read. */
  readonly brokenFrom?: number;
}

/** The separators that are looked for. No bar among them: Shlink writes it between tags. */
export const csvDelimiters = [',', ';', '\t'];

/** Gathers the rows that a parser reads into records and counts their lines; blank ones are left out but counted. */
export function csvRecords() {
  const records: CsvRecord[] = [];
  let line = 1;
  let brokenFrom: number | undefined;
  return {
    /** `errors` are those that the parser met in these rows. */
    take(rows: readonly string[][], errors: readonly { code: string }[]): void {
      const isBroken = errors.some((error) => error.code === 'MissingQuotes');
      rows.forEach((cells, index) => {
        // The quote swallowed the rest of the file, so the broken record is always the last one.
        if (isBroken && index === rows.length - 1) brokenFrom = line;
        else if (cells.some((cell) => cell.trim() !== '')) records.push({ line, cells });
        line += 1 + cells.reduce((breaks, cell) => breaks + lineBreaks(cell), 0);
      });
    },
    table: (): CsvTable => (brokenFrom === undefined ? { records } : { records, brokenFrom }),
  };
}

function lineBreaks(cell: string): number {
  return cell.match(/\r\n|\r|\n/g)?.length ?? 0;
}
