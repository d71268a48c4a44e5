import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';
import { jsonHeaders, rateHeaders } from './headers.ts';
import { refuse } from './refuse.ts';

/** What is needed to answer unparsable requests. */
export interface UnreadableBounds {
  /** The limit reported in their rate headers. */
  keylessLimit: number;
  now: () => number;
}

/** How long a rejected client may read the response before its connection is closed. */
const farewellMs = 3_000;

const unreadable = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers of this request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'timeout', 'The request took too long to arrive.'],
  METHOD: [405, 'method_not_allowed', 'This method is not available.'],
  OTHER: [400, 'bad_request', 'This is not a valid HTTP request.'],
} as const;

/** Rejects a request that Node accepts but we do not. */
export function refuseUnreadable(
  response: ServerResponse,
  reason: keyof typeof unreadable,
  bounds: UnreadableBounds,
): void {
  const [status, code, message] = unreadable[reason];
  refuse(response, status, message, code, untouchedWindow(bounds));
}

/**
 * Answers requests that Node's parser rejects, in the usual error format, and closes the connection: gracefully, so
 * that the response can be read, but within a few seconds, whatever the client does.
 */
export function unreadableAnswers(
  bounds: UnreadableBounds & { connections: Pick<Connections, 'unfinishedAnswer'> },
) {
  const { connections } = bounds;
  const leaving = new WeakSet<Socket>();

  return (errorCode: string | undefined, socket: Socket): void => {
    if (errorCode === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // The remaining data is invalid, too, and the parser reports that again.
    if (leaving.has(socket)) return;
    leaving.add(socket);
    const cut = setTimeout(() => socket.destroy(), farewellMs);
    socket.once('close', () => clearTimeout(cut));
    // Incoming data is discarded: closing a connection with unread bytes resets it, and the response would be lost.
    socket.resume();
    const before = connections.unfinishedAnswer(socket);
    if (!before || (!before.req.complete && !before.headersSent)) say();
    // A partly sent response cannot be withdrawn; one to an earlier request takes precedence.
    else if (!before.req.complete) socket.destroy();
    else before.once('close', say);

    function say(): void {
      if (socket.writable) socket.end(unreadableAnswer(errorCode, bounds));
    }
  };
}

function unreadableAnswer(errorCode: string | undefined, bounds: UnreadableBounds): string {
  const [status, code, message] = unreadable[errorCode as keyof typeof unreadable] ?? unreadable.OTHER;
  const body = JSON.stringify({ error: 1, message, code });
  const headers = {
    ...jsonHeaders,
    ...untouchedWindow(bounds),
    ...(status === 405 && { Allow: 'GET, HEAD, POST, PUT, DELETE' }),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Rate headers for a request that was not counted. */
function untouchedWindow({ keylessLimit: limit, now }: UnreadableBounds): Record<string, string> {
  const reset = Math.ceil(now() / 1000) + 60;
  return rateHeaders({ limit, remaining: limit, reset, allowed: true, retryAfter: 0 });
}
