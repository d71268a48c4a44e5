import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that writes arbitrary bytes, which no HTTP library would send. */
export interface RawServer {
  origin: string;
  /** The headers of complete requests. */
  seen: string[];
  close(): Promise<void>;
}

/** Answers each request by `answer`, which gets the socket as it is. */
export async function rawServer(answer: (socket: Socket, head: string) => void): Promise<RawServer> {
  const seen: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    // The client goes away in the middle of most of these answers.
    socket.on('error', () => socket.destroy());
    let head = '';
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const request = head.slice(0, end);
      head = '';
      seen.push(request);
      answer(socket, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** A whole answer with a body; `headers` come before the empty line as they are. */
export function answerOf(body: string | Buffer, headers: readonly string[] = [], status = '200 OK'): Buffer {
  const bytes = Buffer.from(body);
  const all = ['Content-Type: application/json', `Content-Length: ${bytes.length}`, ...headers];
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${all.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}
