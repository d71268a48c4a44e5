import type { ServerResponse } from 'node:http';
import { jsonHeaders } from './headers.ts';

/** Rejects a request before it reaches the API, in the usual format, and closes the connection. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  code: string,
  headers: Record<string, string> = {},
): void {
  const body = JSON.stringify({ error: 1, message, code });
  response.writeHead(status, {
    ...jsonHeaders,
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}
