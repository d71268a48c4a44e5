/** A short URL in its parts. */
export interface ShortAddress {
  /** With its scheme, where it has one; undefined for an alias alone. */
  host: string | undefined;
  alias: string;
}

/**
 * Splits `https://host/alias`, `host.name/alias` or `host:port/alias`; everything else is an alias. By places and not
 * by one pattern: for a long text that has no slash it would try each dot with all that follows (T-27).
 */
export function splitShort(short: string): ShortAddress {
  const scheme = /^https?:\/\//i.exec(short)?.[0].length ?? 0;
  const end = short.indexOf('/', scheme);
  const name = short.slice(scheme, Math.max(end, scheme));
  const isHost = scheme > 0 ? name !== '' : /.\../s.test(name) || /.:\d+$/s.test(name);
  return isHost && end + 1 < short.length
    ? { host: short.slice(0, end), alias: short.slice(end + 1) }
    : { host: undefined, alias: short };
}
