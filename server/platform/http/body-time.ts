import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const bounded = new WeakSet<Socket>();

/**
 * Says that whoever handles a request bounds the time of its body (an upload takes longer than any JSON document).
 * Until the body is complete, the server's own `requestTimeout` does not end the connection.
 */
export function exemptFromRequestTimeout(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || request.destroyed) return;
  bounded.add(socket);
  // 'end' when it is complete; 'close' also when the connection breaks. The next request on it is bounded again.
  const release = () => bounded.delete(socket);
  request.once('end', release).once('close', release);
}

/** Whether the request under way on a connection bounds its own time. */
export function isExempt(socket: Socket): boolean {
  return bounded.has(socket);
}
