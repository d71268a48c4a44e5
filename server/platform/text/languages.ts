/**
 * The part of a tag that names a language with its script, region and variants is kept; what a single letter begins, as
 * in `de-DE-u-co-phonebk`, are wishes for sorting and numbers (RFC 5646, sections 2.2.6 and 2.2.7), which no page has.
 */
const wish =
  /^\s*([a-z]{2,3}(?:-[a-z0-9]{2,8})*)(?:-[a-z0-9](?:-[a-z0-9]{1,8})+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/;

/**
 * The languages of an Accept-Language header as lower-case tags, most wanted first (RFC 9110, section 12.5.4).
 * Garbage is left out; a header of any length costs a bounded time.
 */
export function readLanguages(header: string): string[] {
  const wanted: { tag: string; quality: number }[] = [];
  for (const part of header.slice(0, 500).toLowerCase().split(',', 20)) {
    const match = wish.exec(part);
    if (!match?.[1]) continue;
    const quality = match[2] === undefined ? 1 : Number(match[2]);
    if (quality > 0) wanted.push({ tag: match[1], quality });
  }
  // The sort is stable: what is wanted equally keeps its order.
  return wanted.sort((one, other) => other.quality - one.quality).map(({ tag }) => tag);
}
