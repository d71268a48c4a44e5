/**
 * Whether a URL's host is longer than any DNS name (253 characters) with a port. Check this before parsing: for
 * non-ASCII hosts, URL parsing takes quadratic time, a tenth of a second for 15 kB (T-27).
 */
export function hasLongHost(text: string): boolean {
  return /^\s*[a-z][a-z0-9+.-]{0,20}:[/\\]*[^/?#\\]{260}/i.test(text);
}
