/**
 * The release feed's URL for a build, from WAYPOST_UPDATE_FEED; undefined if not set. Throws for a URL that is open to
 * tampering in transit, that is, not https; loopback addresses are allowed for testing.
 */
export function feedOfBuild(given: string | undefined): string | undefined {
  if (!given) return undefined;
  const url = URL.parse(given);
  const isThisMachine = url?.hostname === '127.0.0.1' || url?.hostname === '[::1]';
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine)) return url.href;
  throw new Error(`WAYPOST_UPDATE_FEED is ${given}. Give an https:// URL, or leave it out.`);
}
