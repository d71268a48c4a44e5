/** A part of a content: both ends are included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The single range that a request asks for (RFC 9110, section 14). Undefined for none, several or invalid ones, which
 * all get the whole content; 'unsatisfiable' for one that starts beyond the end.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  if (match[1] === '') {
    const last = Number(match[2]);
    return last === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - last), end: size - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== '' && Number(match[2]) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
