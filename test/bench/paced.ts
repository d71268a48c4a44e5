import { connect, type Socket } from 'node:net';
import { quantile } from './metrics.ts';

interface Options {
  port: number;
  /** Complete requests, sent in rotation. */
  requests: readonly Buffer[];
  seconds: number;
  /** Requests per second, sent whether or not earlier ones were answered. */
  rate: number;
  connections?: number;
}

/** How long visitors waited, in milliseconds. */
export interface Waits {
  p50: number;
  p99: number;
  p999: number;
  worst: number;
  /** Responses per second; below the requested rate if the server could not keep up. */
  rate: number;
}

interface Connection {
  socket: Socket;
  sentAt: number;
}

/** The number of requests waiting for a connection at which the server has fallen behind. */
const mostWaiting = 100_000;
const lineFeed = 10;
const letterH = 72;
const digitThree = 51;

/**
 * Requests redirects at a steady rate, a few each millisecond. Waiting time counts from when a request was due,
 * including the time it waits for a free connection. Throws if a response is not a redirect.
 */
export async function pacedLoad(options: Options): Promise<Waits> {
  const { port, requests, seconds, rate, connections = 128 } = options;
  const opened = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const waits: number[] = [];
  const due: number[] = [];
  const idle: Connection[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const total = Math.round(seconds * rate);
  let head = 0;
  let sent = 0;

  function send(connection: Connection): void {
    const at = due[head];
    if (at === undefined) {
      idle.push(connection);
      return;
    }
    head += 1;
    connection.sentAt = at;
    connection.socket.write(requests[sent % requests.length] as Buffer);
    sent += 1;
  }

  function receive(connection: Connection, chunk: Buffer): void {
    // Redirects have no body, so a response ends with an empty line.
    if (chunk.at(-1) !== lineFeed || chunk.at(-3) !== lineFeed) return;
    waits.push(performance.now() - connection.sentAt);
    if (waits.length === total) resolve();
    send(connection);
  }

  for (const socket of opened) {
    const connection = { socket, sentAt: 0 };
    socket.on('data', (chunk: Buffer) => {
      // `HTTP/1.1 302`
      if (chunk[0] !== letterH || chunk[9] !== digitThree)
        reject(new Error(`not a redirect: ${chunk.toString('latin1')}`));
      receive(connection, chunk);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('a connection was closed')));
    idle.push(connection);
  }
  const startedAt = performance.now();
  const pulse = setInterval(() => {
    const now = performance.now();
    const owed = Math.min(total, Math.floor(((now - startedAt) / 1000) * rate));
    while (due.length < owed) due.push(now);
    if (due.length - head > mostWaiting) reject(new Error(`the server cannot keep up with ${rate}/s`));
    while (head < due.length) {
      // The connection that was idle longest: a server closes connections that are idle for some seconds.
      const connection = idle.shift();
      if (!connection) break;
      send(connection);
    }
  }, 1);
  try {
    await promise;
  } finally {
    clearInterval(pulse);
    for (const socket of opened) socket.removeAllListeners('close').destroy();
  }
  const took = (performance.now() - startedAt) / 1000;
  const [p50 = 0, p99 = 0, p999 = 0, worst = 0] = [0.5, 0.99, 0.999, 1].map((share) =>
    quantile(waits, share),
  );
  return { p50, p99, p999, worst, rate: total / took };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.setNoDelay()));
    socket.once('error', reject);
  });
}
