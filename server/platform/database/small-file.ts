import { readFileSync, statSync } from 'node:fs';

/** Far more than this program ever writes to one. Bytes. */
const largest = 65_536;

/**
 * The text of one of the small files of a data folder; empty, like a truncated file, if it is far larger than anything
 * written there: parsing a hundred million brackets would exhaust the memory and hide the error message. Throws the
 * system's error.
 */
export function readSmallFile(path: string): string {
  return statSync(path).size > largest ? '' : readFileSync(path, 'utf8');
}
