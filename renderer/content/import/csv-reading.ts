import Papa from 'papaparse';
import { type CsvTable, csvDelimiters, csvRecords } from '../../../server/contract/csv-table.ts';

/** How much is read before the page may breathe: a few milliseconds of work. Characters. */
const chunkSize = 256 * 1024;

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
      delimitersToGuess: csvDelimiters,
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
