/**
 * The address of the list of releases that a build is to ask, from WAYPOST_UPDATE_FEED; undefined where it has none.
 * Throws for an address whose answers anybody on the way could write; this machine itself is for trying it out.
 */
export function feedOfBuild(given: string | undefined): string | undefined {
  if (!given) return undefined;
  const url = URL.parse(given);
  const isThisMachine = url?.hostname === '127.0.0.1' || url?.hostname === '[::1]';
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine)) return url.href;
  throw new Error(`WAYPOST_UPDATE_FEED is ${given}. Give an https:// URL, or leave it out.`);
}
