/**
 * Whether the host of a URL is longer than any name in the DNS (253 characters) with a port behind it. To be asked
 * before a URL is parsed: for its letters beyond ASCII a parser takes time with the square of their number, a tenth of
 * a second for 15 kB (T-27).
 */
export function hasLongHost(text: string): boolean {
  return /^\s*[a-z][a-z0-9+.-]{0,20}:[/\\]*[^/?#\\]{260}/i.test(text);
}
