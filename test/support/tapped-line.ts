import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line between a client and a server on which somebody listens. */
export interface TappedLine {
  port: number;
  /** Every byte that went over it, in both directions. */
  heard(): Buffer;
  /** Leads to another server from now on, as an attacker in the network would. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** Passes what comes on to a port of this machine, and keeps a copy. */
export async function tappedLine(target: number): Promise<TappedLine> {
  let port = target;
  const heard: Buffer[] = [];
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const onward = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ] as const) {
      open.add(from);
      from.on('data', (chunk: Buffer) => {
        heard.push(chunk);
        to.write(chunk);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.end();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => Buffer.concat(heard),
    leadTo(next) {
      port = next;
    },
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
