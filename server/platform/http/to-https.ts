import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Redirects a visitor on plain HTTP to the same URL over HTTPS. `host` is a stored name, not the header's text (T-22);
 * `port` is the HTTPS port.
 */
export function sendToHttps(
  request: IncomingMessage,
  response: ServerResponse,
  host: string,
  port: number,
): void {
  // A visitor without an explicit port came to port 80; whoever forwards that port here is assumed to forward 443, too.
  const named = /:\d+$/.test(request.headers.host ?? '') && port !== 443 ? `:${port}` : '';
  const { url = '/' } = request;
  const location = `https://${host}${named}${url.startsWith('/') ? url : '/'}`;
  response.writeHead(307, {
    Location: URL.canParse(location) ? new URL(location).href : `https://${host}${named}/`,
    'Cache-Control': 'private, no-store',
    'Content-Length': 0,
    ...(request.method !== 'GET' && request.method !== 'HEAD' && { Connection: 'close' }),
  });
  response.end();
}
