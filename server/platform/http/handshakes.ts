import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { turns } from '../concurrency/turns.ts';

/** How long a connection may stay silent before its handshake, in milliseconds. */
const silentMs = 10_000;

/**
 * Lets the TLS handshakes of a server begin in turns. Each takes this thread half a millisecond for its signature:
 * clients that opened hundreds of connections and began all handshakes at the same moment would hold redirects up for a
 * fifth of a second. Connections that have said nothing are closed by `closeIdleConnections`, which knows only those that
 * are encrypted by itself: one of them would delay a stop.
 */
export function paceHandshakes(server: Server): void {
  const begin = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const { take } = turns({ monotonic: () => performance.now() });
  const silent = new Set<Socket>();
  const { closeIdleConnections } = server;
  server.closeIdleConnections = () => {
    for (const socket of silent) socket.destroy();
    closeIdleConnections.call(server);
  };
  server.on('connection', (socket: Socket) => {
    const close = () => socket.destroy();
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
    socket.setTimeout(silentMs, close);
    // Read into the socket's buffer, from where the handshake takes it.
    socket.once('readable', () =>
      take(() => {
        silent.delete(socket);
        socket.off('timeout', close).setTimeout(0);
        // The client may have left without a word.
        if (socket.readableLength === 0) close();
        if (socket.destroyed) return;
        for (const listener of begin) listener.call(server, socket);
      }),
    );
  });
}
