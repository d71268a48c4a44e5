import { composed } from '../../contract/composed.ts';
/** A parsed request target. */
export interface Target {
  /** In stored form (NFC); '' for the bare domain. */
  alias: string;
  /** The query without the question mark. */
  query: string;
  /** Whether the preview is requested (`/alias+`). */
  preview: boolean;
}

/** No alias is longer than 80 characters of four UTF-8 bytes each, percent-encoded. */
const longestPath = 80 * 4 * 3 + 2;

/**
 * Parses the target of a request line (or the path and query of a URL). Undefined if it cannot be an alias:
 * malformed percent-encoding, control characters, an empty part between slashes, or too long.
 */
export function readTarget(target: string): Target | undefined {
  const path = target.startsWith('/') ? target : originForm(target);
  if (path === undefined) return undefined;
  const queryAt = path.indexOf('?');
  const query = queryAt < 0 ? '' : path.slice(queryAt + 1);
  let end = queryAt < 0 ? path.length : queryAt;
  // Users and some tools append a slash.
  if (end > 1 && path.charCodeAt(end - 1) === 47) end -= 1;
  const text = path.slice(1, end);
  if (text.length > longestPath) return undefined;
  const name = text.includes('/') ? decodeParts(text) : decode(text);
  if (name === undefined) return undefined;
  return name.endsWith('+')
    ? { alias: name.slice(0, -1), query, preview: true }
    : { alias: name, query, preview: false };
}

/** The path of a target in absolute form (RFC 9112, section 3.2.2), whose host the caller has checked. */
function originForm(target: string): string | undefined {
  const match = /^https?:\/\/[^/?#]*(.*)$/i.exec(target);
  if (!match) return undefined;
  const rest = match[1] ?? '';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Decodes each segment separately: an encoded slash is not a separator. */
function decodeParts(text: string): string | undefined {
  const parts = text.split('/').map((part) => (part === '' ? undefined : decode(part)));
  return parts.includes(undefined) ? undefined : parts.join('/');
}

/** Strict percent-decoding; undefined if it is not UTF-8 or contains characters that no alias has. */
function decode(segment: string): string | undefined {
  if (isPlain(segment)) return segment;
  try {
    const decoded = composed(decodeURIComponent(segment));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
    return /[\u0000-\u001f\u007f/\\]/.test(decoded) ? undefined : decoded;
  } catch {
    // Malformed percent-encoding is an unknown alias like any other.
    return undefined;
  }
}

/** Whether a text consists of unreserved characters only, so that it needs no decoding or normalization. */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code <= 32 || code >= 127 || code === 37 || code === 92) return false;
  }
  return true;
}
