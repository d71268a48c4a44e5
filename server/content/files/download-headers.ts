import { attachment, downloadType } from './names.ts';
import type { FileRow } from './queries.ts';
import type { ByteRange } from './ranges.ts';

/** The content of a file never changes, so its id is tag enough (RFC 9110, section 8.8.3). */
export function entityTag({ id }: Pick<FileRow, 'id'>): string {
  return `"file-${id}"`;
}

/**
 * The headers of a download, as a flat list: an attachment that browsers do not open in this origin, sniff, execute,
 * or frame (T-17).
 */
export function fileAnswerHeaders(file: FileRow, range: ByteRange | undefined): string[] {
  const isLimited = file.max_downloads !== null;
  const length = range ? range.end - range.start + 1 : file.size;
  return [
    ...['Content-Type', downloadType(file.filename)],
    ...['Content-Disposition', attachment(file.filename)],
    ...['Content-Length', String(length)],
    ...(range ? ['Content-Range', `bytes ${range.start}-${range.end}/${file.size}`] : []),
    ...['Accept-Ranges', isLimited ? 'none' : 'bytes'],
    ...(isLimited ? [] : ['ETag', entityTag(file)]),
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'"],
    ...['Cross-Origin-Resource-Policy', 'same-origin'],
    ...['X-Frame-Options', 'DENY'],
    ...['Referrer-Policy', 'no-referrer'],
    ...['Cache-Control', 'private, no-store'],
  ];
}
