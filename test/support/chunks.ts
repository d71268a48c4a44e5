import { connect } from 'node:net';

/** The separate writes of a server: HTTP chunks show them. */
export async function chunks(port: number, path: string, key: string): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  // A character for each byte, as the sizes count them.
  socket.setEncoding('latin1');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
  );
  let rest = (await socket.toArray()).join('').replace(/^[\s\S]*?\r\n\r\n/, '');
  const pieces: string[] = [];
  for (;;) {
    const [head = '', size = '0'] = /^([0-9a-f]+)\r\n/.exec(rest) ?? [];
    const length = Number.parseInt(size, 16);
    if (length === 0) return pieces;
    pieces.push(rest.slice(head.length, head.length + length));
    rest = rest.slice(head.length + length + 2);
  }
}
