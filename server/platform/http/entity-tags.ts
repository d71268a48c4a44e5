import type { IncomingMessage } from 'node:http';

/** Whether the client says that it has what an entity tag names (RFC 9110, 13.1.2), and is to get 304. */
export function hasCopy(request: IncomingMessage, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}
