/**
 * Keeps language, script, region and variants of a tag; extensions such as `de-DE-u-co-phonebk` are preferences for
 * sorting and numbers (RFC 5646, sections 2.2.6 and 2.2.7), which our pages do not support.
 */
const wish =
  /^\s*([a-z]{2,3}(?:-[a-z0-9]{2,8})*)(?:-[a-z0-9](?:-[a-z0-9]{1,8})+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/;

/**
 * The languages of an Accept-Language header as lower-case tags, most preferred first (RFC 9110, section 12.5.4).
 * Invalid entries are ignored; parsing time is limited for headers of any length.
 */
export function readLanguages(header: string): string[] {
  const wanted: { tag: string; quality: number }[] = [];
  for (const part of header.slice(0, 500).toLowerCase().split(',', 20)) {
    const match = wish.exec(part);
    if (!match?.[1]) continue;
    const quality = match[2] === undefined ? 1 : Number(match[2]);
    if (quality > 0) wanted.push({ tag: match[1], quality });
  }
  // The sort is stable: equally preferred languages keep their order.
  return wanted.sort((one, other) => other.quality - one.quality).map(({ tag }) => tag);
}
