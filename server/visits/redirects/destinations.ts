/**
 * Checks a stored destination again before it is sent (T-19): http or https, no credentials. Rows may be older than a
 * rule, or come from a restored backup. Returns undefined for anything else.
 */
export function safeDestination(text: string): URL | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '' || url.hostname === '') return undefined;
  return url;
}

/**
 * Appends to the query of a URL, before its fragment, and leaves the rest unchanged: rebuilding it from parsed
 * parameters would change signatures and encodings that the destination relies on.
 */
export function withQuery(href: string, addition: string): string {
  if (addition === '') return href;
  const hashAt = href.indexOf('#');
  const address = hashAt < 0 ? href : href.slice(0, hashAt);
  const fragment = hashAt < 0 ? '' : href.slice(hashAt);
  const separator = !address.includes('?') ? '?' : address.endsWith('?') || address.endsWith('&') ? '' : '&';
  return `${address}${separator}${addition}${fragment}`;
}

/** A link's own parameters as a query. */
export function parametersQuery(parameters: readonly { name: string; value: string }[]): string {
  return parameters
    .map(
      ({ name, value }) =>
        `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
    )
    .join('&');
}

/** The visitor's query to forward: everything except our own parameters. */
export function forwardedQuery(query: string): string {
  if (query === '') return '';
  return query
    .split('&')
    .filter((part) => part !== '' && part !== 'notrack' && !part.startsWith('notrack='))
    .join('&');
}

/** Whether the visitor asked not to be counted: `?notrack` in the short link's query. */
export function asksNotToCount(query: string): boolean {
  return query.includes('notrack') && /(^|&)notrack(=|&|$)/.test(query);
}
