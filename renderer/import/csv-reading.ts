import Papa from 'papaparse';

/** One record of the file: its cells, and the line that it starts on (a quoted cell may span several). */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly records: readonly CsvRecord[];
  /** The line of an opening quote that is never closed; what follows it cannot be read. */
  readonly brokenFrom?: number;
}

/** How much is read before the page may breathe: a few milliseconds of work. Characters. */
const chunkSize = 256 * 1024;

/** No bar among them: Shlink writes it between tags. */
const delimiters = [',', ';', '\t'];

/**
 * Reads a CSV file in pieces, so that the page stays alive. Separator and encoding (UTF-8, UTF-16 with a mark, else
 * Windows-1252) are found out; blank lines are left out but counted. `onProgress` gets the fraction that is read.
 * Rejects when the file cannot be read, and with an AbortError when `signal` aborts.
 */
export async function readCsv(
  file: Blob,
  { onProgress, signal }: { onProgress?: (fraction: number) => void; signal?: AbortSignal } = {},
): Promise<CsvTable> {
  // Decoded whole: the parser's own reading of a file cuts characters in two where its pieces meet.
  const text = decoded(await file.arrayBuffer());
  const reading = csvRecords();
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(text, {
      chunkSize,
      skipEmptyLines: false,
      delimitersToGuess: delimiters,
      chunk(results: Papa.ParseResult<string[]>, parser: Papa.Parser) {
        if (signal?.aborted) {
          // In this order: the parser calls `complete` when it is stopped.
          reject(new DOMException('Reading was given up.', 'AbortError'));
          return parser.abort();
        }
        reading.take(results.data, results.errors);
        onProgress?.(Math.min(1, results.meta.cursor / Math.max(1, text.length)));
        parser.pause();
        setTimeout(() => parser.resume());
      },
      complete: () => resolve(reading.table()),
    });
  });
}

/** Gathers records and counts their lines; the parser itself knows rows only. */
function csvRecords() {
  const records: CsvRecord[] = [];
  let line = 1;
  let brokenFrom: number | undefined;
  return {
    take(rows: readonly string[][], errors: readonly Papa.ParseError[]): void {
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

/** Spreadsheets write UTF-16 or the system's old code page as often as UTF-8. A byte order mark is taken off. */
function decoded(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // No UTF-8, so one byte a character; Windows-1252 is by far the most common.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
