/** A link's public URL; built from stored rows, never from a request's Host. */
export function shortUrl({ alias, host }: { alias: string; host: string | null }, baseUrl: string): string {
  return `${domainUrl(host, baseUrl)}/${aliasPath(alias)}`;
}

/** An alias as in a URL, without the slash before it. */
export function aliasPath(alias: string): string {
  return encodeURIComponent(alias).replaceAll('%2F', '/');
}

/** The origin of a domain; defaults to the instance's own. */
export function domainUrl(host: string | null, baseUrl: string): string {
  return host === null ? baseUrl : `https://${host}`;
}
