import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { MadeCertificate } from './certificates.ts';

/** Terminates TLS in front of a port of this machine, and forwards the content unchanged in both directions. */
export async function tlsProxy(
  made: MadeCertificate,
  target: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const open = new Set<TLSSocket>();
  const server = createServer({ key: made.key, cert: made.certificate }, (socket) => {
    open.add(socket);
    const onward = connect(target, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      onward.destroy();
    });
    onward.on('close', () => socket.destroySoon());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
