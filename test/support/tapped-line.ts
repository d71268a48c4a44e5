import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A recorded connection between a client and a server. */
export interface TappedLine {
  port: number;
  /** Every transferred byte, in both directions. */
  heard(): Buffer;
  /** Connects to another server from now on, like an attacker in the network. */
  leadTo(port: number): void;
  /** The client's machine sleeps: nothing passes on open connections, and new ones are refused. */
  sleep(): void;
  /** `isTold`: the machine is told that its connections are gone. A router that forgot them stays silent. */
  wake(isTold: boolean): void;
  close(): Promise<void>;
}

/** Forwards to a port of this machine, and keeps a copy. */
export async function tappedLine(target: number): Promise<TappedLine> {
  let port = target;
  const heard: Buffer[] = [];
  const open = new Set<Socket>();
  const asleep = new Set<Socket>();
  let sleeps = false;
  const server = createServer((client) => {
    if (sleeps) return void client.destroy();
    const onward = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ] as const) {
      open.add(from);
      from.on('data', (chunk: Buffer) => {
        if (asleep.has(from)) return;
        heard.push(chunk);
        to.write(chunk);
      });
      from.on('error', () => {
        if (!asleep.has(from)) to.destroy();
      });
      from.on('close', () => {
        open.delete(from);
        // What a sleeping machine closes itself, the other side hears of.
        if (from === client || !asleep.has(from)) to.end();
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
    sleep() {
      sleeps = true;
      for (const socket of open) asleep.add(socket);
    },
    wake(isTold) {
      sleeps = false;
      if (isTold) for (const socket of asleep) socket.destroy();
    },
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
