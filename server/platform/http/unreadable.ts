import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';
import { jsonHeaders, rateHeaders } from './headers.ts';
import { refuse } from './refuse.ts';

/** What the answers to unreadable requests are made with. */
export interface UnreadableBounds {
  /** The limit that their rate headers name. */
  keylessLimit: number;
  now: () => number;
}

/** For how long a client that was refused may read the reason before its connection is cut. */
const farewellMs = 3_000;

const unreadable = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers of this request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'timeout', 'The request took too long to arrive.'],
  METHOD: [405, 'method_not_allowed', 'This method is not available.'],
  OTHER: [400, 'bad_request', 'This is not a valid HTTP request.'],
} as const;

/** Refuses a request of which Node reads more than we do. */
export function refuseUnreadable(
  response: ServerResponse,
  reason: keyof typeof unreadable,
  bounds: UnreadableBounds,
): void {
  const [status, code, message] = unreadable[reason];
  refuse(response, status, message, code, untouchedWindow(bounds));
}

/**
 * Answers what Node's parser refuses, in the form of every other failure, and closes the connection: politely, so that
 * the reason can be read, but at the latest after a few seconds, whatever the client does.
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
    // The rest of what is sent makes no sense either, and the parser says so again.
    if (leaving.has(socket)) return;
    leaving.add(socket);
    const cut = setTimeout(() => socket.destroy(), farewellMs);
    socket.once('close', () => clearTimeout(cut));
    // What comes in is dropped: a connection that is closed with unread bytes is reset, and takes the reason with it.
    socket.resume();
    const before = connections.unfinishedAnswer(socket);
    if (!before || (!before.req.complete && !before.headersSent)) say();
    // An answer of which a part went out cannot be taken back; one to a request before this one comes first.
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

/** The rate headers of what nobody counted. */
function untouchedWindow({ keylessLimit: limit, now }: UnreadableBounds): Record<string, string> {
  const reset = Math.ceil(now() / 1000) + 60;
  return rateHeaders({ limit, remaining: limit, reset, allowed: true, retryAfter: 0 });
}
