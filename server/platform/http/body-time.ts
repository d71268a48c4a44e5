import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const bounded = new WeakSet<Socket>();

/**
 * Declares that the handler of a request limits the time of its body itself (an upload takes longer than a JSON
 * document). Until the body is complete, the server's own `requestTimeout` does not apply.
 */
export function exemptFromRequestTimeout(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || request.destroyed) return;
  bounded.add(socket);
  // 'end' when it is complete; 'close' also when the connection breaks. The next request on it is limited again.
  const release = () => bounded.delete(socket);
  request.once('end', release).once('close', release);
}

/** Whether the current request of a connection limits its own time. */
export function isExempt(socket: Socket): boolean {
  return bounded.has(socket);
}
