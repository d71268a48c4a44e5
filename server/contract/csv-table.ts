/** A CSV record: its cells, and the line it starts on (quoted cells may span several). */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly records: readonly CsvRecord[];
  /** The line of an unclosed quote; everything after it is unreadable. */
  readonly brokenFrom?: number;
}

/** The delimiters to detect; `|` is not one, because Shlink separates tags by it. */
export const csvDelimiters = [',', ';', '\t'];

/** Collects the parser's rows into records with line numbers; blank rows are counted but left out. */
export function csvRecords() {
  const records: CsvRecord[] = [];
  let line = 1;
  let brokenFrom: number | undefined;
  return {
    /** `errors` are the parser's errors in these rows. */
    take(rows: readonly string[][], errors: readonly { code: string }[]): void {
      const isBroken = errors.some((error) => error.code === 'MissingQuotes');
      rows.forEach((cells, index) => {
        // The unclosed quote consumes the rest of the file, so the broken record is always the last one.
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
