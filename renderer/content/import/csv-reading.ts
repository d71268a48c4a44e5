import Papa from 'papaparse';
import { type CsvTable, csvDelimiters, csvRecords } from '../../../server/contract/csv-table.ts';

/** Characters parsed before yielding to the event loop: a few milliseconds of work. */
const chunkSize = 256 * 1024;

/**
 * Parses a CSV file in chunks, so that the page stays responsive. Separator and encoding (UTF-8, UTF-16 with a byte
 * order mark, else Windows-1252) are detected; blank lines are skipped but counted. `onProgress` receives the fraction
 * parsed. Rejects if the file cannot be read, and with an AbortError if `signal` aborts.
 */
export async function readCsv(
  file: Blob,
  { onProgress, signal }: { onProgress?: (fraction: number) => void; signal?: AbortSignal } = {},
): Promise<CsvTable> {
  // Decoded as a whole: Papa Parse splits multi-byte characters at chunk boundaries.
  const text = decoded(await file.arrayBuffer());
  const reading = csvRecords();
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(text, {
      chunkSize,
      skipEmptyLines: false,
      delimitersToGuess: csvDelimiters,
      chunk(results: Papa.ParseResult<string[]>, parser: Papa.Parser) {
        if (signal?.aborted) {
          // In this order: `abort` makes Papa Parse call `complete`.
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

/** Spreadsheets often write UTF-16 or a legacy code page instead of UTF-8. Strips a byte order mark. */
function decoded(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8, so a single-byte encoding; Windows-1252 is by far the most common.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
