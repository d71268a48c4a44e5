/**
 * The address of an API request. The page chooses the path and nothing else; it must stay below `/api/` of exactly
 * this origin. Returns undefined for a path that tries anything: dot segments, backslashes, empty segments, encoded
 * separators, control characters, a fragment (T-32).
 */
export function apiAddress(origin: string, path: string): string | undefined {
  const [beforeQuery = ''] = path.split('?', 1);
  const isPlain =
    path.length <= 16_384 &&
    beforeQuery.startsWith('/api/') &&
    !/\/\/|\/\.{1,2}(\/|$)|%(2e|2f|5c)/i.test(beforeQuery) &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point.
    !/[\u0000-\u0020\u007f\\#]/.test(path);
  if (!isPlain || !URL.canParse(origin + path)) return undefined;
  const url = new URL(origin + path);
  // The parser has the last word on what the text above means.
  return url.origin === origin && url.pathname.startsWith('/api/') ? url.href : undefined;
}
