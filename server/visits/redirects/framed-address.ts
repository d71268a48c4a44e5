/**
 * The parts of a destination that determine whether it can be framed: origin and path. Queries vary between visits.
 * Undefined for invalid URLs.
 */
export function framedAddress(destination: string): string | undefined {
  const url = URL.parse(destination);
  return url ? url.origin + url.pathname : undefined;
}

/** Whether a link's type shows its destination in a frame. */
export function isFramed(type: string): boolean {
  return type === 'frame' || type.startsWith('overlay-');
}
