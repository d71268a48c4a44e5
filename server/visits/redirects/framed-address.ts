/**
 * What of a destination decides whether it can be framed: origin and path. Queries differ from visit to visit.
 * Undefined for what is not an address.
 */
export function framedAddress(destination: string): string | undefined {
  const url = URL.parse(destination);
  return url ? url.origin + url.pathname : undefined;
}

/** Whether a link's type shows its destination in a frame. */
export function isFramed(type: string): boolean {
  return type === 'frame' || type.startsWith('overlay-');
}
