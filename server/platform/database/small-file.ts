import { readFileSync, statSync } from 'node:fs';

/** Many times what this program ever writes into one. Bytes. */
const largest = 65_536;

/**
 * The text of one of the small files of a data folder; empty, as of a file that breaks off, for one that is far larger
 * than any that was written here: to parse brackets by the hundred million would cost the process its memory, and the
 * start its sentence. Throws the system's error.
 */
export function readSmallFile(path: string): string {
  return statSync(path).size > largest ? '' : readFileSync(path, 'utf8');
}
