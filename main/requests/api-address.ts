/**
 * The URL of an API request. The page controls only the path, which must stay below `/api/` of exactly this origin.
 * Returns undefined for unsafe paths: dot segments, backslashes, empty segments, encoded separators, control characters
 * or a fragment (T-32).
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
  // Check again after parsing, in case the URL parser interprets the text differently.
  return url.origin === origin && url.pathname.startsWith('/api/') ? url.href : undefined;
}
