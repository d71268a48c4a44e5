import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { seededIntegers } from './clock.ts';

/** What a misbehaving client may do with a connection after sending as much as it wants. */
type Ending =
  | 'reset'
  | 'half-close'
  | 'close'
  | 'wait for an answer, then reset'
  | 'stop reading, then reset';
const endings: readonly Ending[] = [
  'reset',
  'half-close',
  'close',
  'wait for an answer, then reset',
  'stop reading, then reset',
];

interface Options {
  port: number;
  /** Speaks TLS: the connection may also break within the handshake. */
  isSecure: boolean;
  /** The Host header of a well-formed request. */
  host: string;
  /** Paths that exist, such as a locked link. */
  paths: readonly string[];
  count: number;
  atOnce: number;
  seed: number;
}

/** How long one connection waits before it is reset. Milliseconds. */
const readMs = 400;

/**
 * Opens many connections that send requests of every kind, complete or broken off at any byte, in pieces, and that end
 * in every way at every stage. Deterministic for a seed. Resolves when the last one is gone; returns how many were
 * opened.
 */
export async function openRawConnections(options: Options): Promise<number> {
  const random = seededIntegers(options.seed);
  let opened = 0;
  const workers = Array.from({ length: options.atOnce }, async () => {
    while (opened < options.count) {
      opened += 1;
      await openOne(options, random);
    }
  });
  await Promise.all(workers);
  return opened;
}

async function openOne(options: Options, random: (below: number) => number): Promise<void> {
  const pick = <Choice>(choices: readonly Choice[]): Choice => choices[random(choices.length)] as Choice;
  const requests = requestsFor(options.host, pick(options.paths));
  // One in three asks twice without waiting for the first answer.
  const whole = Buffer.from(random(3) === 0 ? pick(requests) + pick(requests) : pick(requests), 'latin1');
  const bytes = random(2) === 0 ? whole : whole.subarray(0, random(whole.length + 1));
  const ending = pick(endings);
  const pieces = 1 + random(3);
  const breaksHandshakeAt = options.isSecure && random(3) === 0 ? random(600) : undefined;
  const raw = connect({ port: options.port, host: '127.0.0.1', allowHalfOpen: true });
  const cut = setTimeout(() => raw.resetAndDestroy(), readMs);
  const gone = new Promise<void>((resolve) => {
    // Very seldom a socket that was reset while its TLS was set up says nothing of its end, although the system has
    // none.
    const lost = setTimeout(resolve, 10 * readMs);
    raw.once('close', () => {
      clearTimeout(cut);
      clearTimeout(lost);
      resolve();
    });
  });
  raw.on('error', () => {});
  raw.once('connect', () => {
    if (!options.isSecure) send(raw, raw, bytes, pieces, ending);
    else if (breaksHandshakeAt !== undefined)
      send(raw, raw, helloOf(breaksHandshakeAt, random), pieces, ending);
    else {
      const secure = connectSecurely({
        socket: carriedBy(raw),
        rejectUnauthorized: false,
        servername: 'localhost',
      });
      secure.on('error', () => raw.resetAndDestroy());
      // Some break off between the handshake and the first byte of a request.
      secure.once('secureConnect', () => send(secure, raw, bytes, pieces, ending));
    }
  });
  await gone;
}

/** The same bytes as a stream of another kind: TLS takes a socket over whole, and then nobody can reset it any more. */
function carriedBy(raw: Socket): Duplex {
  const carrier = new Duplex({
    read() {},
    write: (chunk, _encoding, done) => void raw.write(chunk, () => done()),
    final: (done) => void raw.end(() => done()),
  });
  carrier.on('error', () => {});
  raw.on('data', (chunk) => carrier.push(chunk));
  raw.once('end', () => carrier.push(null));
  raw.once('close', () => carrier.destroy());
  return carrier;
}

/** Writes the bytes in pieces of separate packets, then ends as it is told to. */
function send(socket: Socket, raw: Socket, bytes: Buffer, pieces: number, ending: Ending): void {
  const length = Math.max(1, Math.ceil(bytes.length / pieces));
  raw.setNoDelay(true);
  const sendFrom = (start: number) => {
    if (socket.destroyed) return;
    if (start >= bytes.length) end();
    else socket.write(bytes.subarray(start, start + length), () => setImmediate(sendFrom, start + length));
  };
  sendFrom(0);

  function end(): void {
    if (ending === 'reset') raw.resetAndDestroy();
    else if (ending === 'close') socket.destroy();
    else if (ending === 'half-close') socket.end();
    else if (ending === 'wait for an answer, then reset') socket.once('data', () => raw.resetAndDestroy());
    else socket.pause();
    if (ending === 'half-close') socket.resume().once('end', () => socket.destroy());
  }
}

/** The beginning of a TLS handshake that goes wrong: cut off, or with nonsense in it. */
function helloOf(length: number, random: (below: number) => number): Buffer {
  const hello = Buffer.alloc(length, 0);
  for (let index = 0; index < length; index += 1) hello[index] = random(256);
  // A record of a handshake, as long as it says or longer than what comes.
  Buffer.of(0x16, 0x03, 0x01, random(3), random(256), 0x01).copy(hello);
  return hello;
}

function requestsFor(host: string, path: string): string[] {
  const to = `Host: ${host}\r\n`;
  const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
  const json = 'Content-Type: application/json\r\n';
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\n';
  return [
    `GET ${path} HTTP/1.1\r\n${to}\r\n`,
    `HEAD ${path} HTTP/1.1\r\n${to}Connection: close\r\n\r\n`,
    `GET ${path} HTTP/1.0\r\n\r\n`,
    `GET http://${host}${path} HTTP/1.1\r\n${to}\r\n`,
    `POST ${path} HTTP/1.1\r\n${to}${form}Content-Length: 14\r\n\r\npassword=wrong`,
    `POST ${path} HTTP/1.1\r\n${to}${form}Content-Length: 400\r\n\r\npassword=`,
    `POST ${path} HTTP/1.1\r\n${to}${form}Transfer-Encoding: chunked\r\n\r\ne\r\npassword=wrong\r\n0\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\n${to}${form}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `POST ${path} HTTP/1.1\r\n${to}${form}Content-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`,
    `POST ${path} HTTP/1.1\r\n${to}${form}Expect: 100-continue\r\nContent-Length: 14\r\n\r\npassword=wrong`,
    `POST ${path} HTTP/1.1\r\n${to}${form}Expect: something\r\nContent-Length: 14\r\n\r\npassword=wrong`,
    `POST /api/auth/login HTTP/1.1\r\n${to}${json}Content-Length: 34\r\n\r\n{"login":"nobody","password":"no"}`,
    `POST /api/setup HTTP/1.1\r\n${to}${json}Content-Length: 99\r\n\r\n{"email":`,
    `GET /api/meta HTTP/1.1\r\n${to}\r\n`,
    `GET /api/events HTTP/1.1\r\n${to}\r\n`,
    `GET /admin/ HTTP/1.1\r\n${to}Accept-Encoding: gzip\r\n\r\n`,
    `GET /admin/nothing.js HTTP/1.1\r\n${to}\r\n`,
    `CONNECT a:1 HTTP/1.1\r\n${to}\r\n`,
    `CONNECT a:1 HTTP/1.1\r\n\r\n${'x'.repeat(5_000)}`,
    `GET ${path} HTTP/1.1\r\n${to}${upgrade}\r\n`,
    `GET ${path} HTTP/1.1\r\n${to}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    `OPTIONS * HTTP/1.1\r\n${to}\r\n`,
    `TRACE ${path} HTTP/1.1\r\n${to}\r\n`,
    `GET ${path}\r\n`,
    `GET ${path} HTTP/1.1\r\n${to}Host: elsewhere.example\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${to}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    `POST ${path} HTTP/1.1\r\n${to}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${to}X: ${'x'.repeat(17_000)}\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${to}${'X: y\r\n'.repeat(150)}\r\n`,
    `GET ${path}${'x'.repeat(9_000)} HTTP/1.1\r\n${to}\r\n`,
    'broken\r\n\r\n',
    '\x00\x01\x02\xff\xfe',
  ];
}
