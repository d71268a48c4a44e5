import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Bytes from which a response is compressed: shorter ones are one packet either way. */
export const worthCompressing = 1024;

/** Whether an Accept-Encoding header names a coding and does not refuse it (`q=0`). */
export function acceptsCoding(header: string, name: string): boolean {
  return header.split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return coding === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/** Compresses a text or bytes in a thread of Node's pool. */
export const gzipped = promisify(gzip);
