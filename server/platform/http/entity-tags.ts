import type { IncomingMessage } from 'node:http';

/** Whether the client already has the entity with this tag (RFC 9110, 13.1.2) and should get 304. */
export function hasCopy(request: IncomingMessage, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}
