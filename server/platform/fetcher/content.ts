import { type Refusal, rejected } from '../errors.ts';

/** A whole body. Throws 400 `file_too_large` as soon as it is longer. */
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

/** The first bytes of a body as text; the rest is left where it is. */
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

/** The media type of a header in lower case without parameters; '' where there is none. */
export function mediaType(header: string | string[] | undefined): string {
  return typeof header === 'string' ? (header.split(';', 1)[0] ?? '').trim().toLowerCase() : '';
}

/** The refusal of content that is longer than it may be. */
export function fileTooLarge(maxBytes: number, field: string): Refusal {
  const size = maxBytes < 1_000_000 ? `${maxBytes / 1000} KB` : `${maxBytes / 1_000_000} MB`;
  return rejected('file_too_large', field, `The file at this URL is larger than ${size}.`);
}
