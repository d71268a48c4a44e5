import { type Refusal, rejected } from '../errors.ts';

/** Reads a whole body. Throws 400 `file_too_large` as soon as it is too long. */
export async function readUpTo(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  field: string,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw fileTooLarge(maxBytes, field);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Reads the first bytes of a body as text and ignores the rest. */
export async function readStart(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}

/** The media type of a header in lower case without parameters; '' if there is none. */
export function mediaType(header: string | string[] | undefined): string {
  return typeof header === 'string' ? (header.split(';', 1)[0] ?? '').trim().toLowerCase() : '';
}

/** The error for content that is too long. */
export function fileTooLarge(maxBytes: number, field: string): Refusal {
  const size = maxBytes < 1_000_000 ? `${maxBytes / 1000} KB` : `${maxBytes / 1_000_000} MB`;
  return rejected('file_too_large', field, `The file at this URL is larger than ${size}.`);
}
