import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageQueries } from './page-queries.ts';

/** Answers `/img/<token>`, the pictures of pages; false for every other path and for unknown tokens. */
export function pictures(queries: Pick<PageQueries, 'findPicture'>) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const token = /^\/img\/([0-9a-f]{32})$/.exec(request.url ?? '')?.[1];
    const picture = token === undefined ? undefined : queries.findPicture(token);
    if (!picture || request.method === 'POST') return false;
    response.writeHead(200, {
      'Content-Type': picture.type,
      'Content-Length': picture.body.length,
      // Another picture has another token.
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : picture.body);
    return true;
  };
}
