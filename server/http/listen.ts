import { createServer, type RequestListener, type Server, type ServerOptions, STATUS_CODES } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { isInRanges } from './addresses.ts';
import { isSelfBounded } from './body-time.ts';
import { jsonHeaders, rateHeaders } from './headers.ts';

export interface Listening {
  port: number;
  /** The addresses that are really listened on. */
  addresses: string[];
  /** Stops accepting, lets requests under way finish within the time, then cuts the rest. */
  stop(graceMs: number): Promise<void>;
}

/** The wanted port is somebody else's. */
export class PortTaken extends Error {
  readonly port: number;

  constructor(port: number, host: string) {
    super(`Port ${port} on ${host} is taken by another program. Stop it, or choose another one with --port.`);
    this.port = port;
  }
}

interface Options {
  hosts: readonly string[];
  port: number;
  handler: RequestListener;
  trustedProxies: readonly string[];
  /** The limit that the rate headers of unreadable requests name. */
  keylessLimit: number;
  now: () => number;
  /** Milliseconds in which a whole request must have arrived, but for those that bound their own time. */
  requestMs?: number;
  /** Makes it HTTPS: what is presented for the name that a client asks for, looked up at each handshake. */
  certificateFor?: (name: string) => SecureContext | undefined;
  /**
   * Tells what is presented to clients that name no host, as browsers do that were given an address; calls back at once
   * and after every change, until the function that it returns is called.
   */
  onOwnCertificate?: (listener: (pair: { key: string; chain: string } | undefined) => void) => () => void;
}

/** Most connections from one address; neither this machine nor a trusted proxy is counted. */
const connectionsPerAddress = 100;

/** Listens on every host with one handler; port 0 takes any free one, the same for all hosts. */
export async function listen(options: Options): Promise<Listening> {
  const servers: Server[] = [];
  let { port } = options;
  const addresses: string[] = [];
  try {
    for (const host of options.hosts) {
      const server = hardened(options);
      const bound = await bind(server, port, host);
      if (!bound) continue;
      servers.push(server);
      port = bound.port;
      addresses.push(bound.address);
    }
    if (servers.length === 0)
      throw new Error(`none of the addresses ${options.hosts.join(', ')} exists here`);
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
  return {
    port,
    addresses,
    async stop(graceMs) {
      const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
      for (const server of servers) server.closeIdleConnections();
      const cut = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, graceMs);
      await Promise.all(closed);
      clearTimeout(cut);
    },
  };
}

/** A server with the time and size bounds that keep slow and greedy clients from starving others (T-06). */
function hardened(options: Options): Server {
  const { handler, trustedProxies, keylessLimit, now, requestMs = 30_000, certificateFor } = options;
  const bounds = {
    headersTimeout: Math.min(8_000, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(2_000, requestMs),
    keepAliveTimeout: 5_000,
    maxHeaderSize: 16 * 1024,
    // A request without a Host is refused where wrong ones are: Node's own answer has no body and none of our headers.
    requireHostHeader: false,
  };
  const server = certificateFor
    ? secureServer(bounds, certificateFor, options)
    : createServer(bounds, handler);
  // An Expect header that Node does not know would be answered by Node itself, without our headers.
  server.on('checkExpectation', handler);
  server.maxConnections = 2_000;
  server.maxHeadersCount = 100;
  limitPerAddress(server, trustedProxies);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Node says so once a request and leaves the connection to this listener.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isSelfBounded(socket)) return;
    // Nobody can read an answer on a connection that never became an encrypted one.
    if (certificateFor && !error.code?.startsWith('HPE_') && error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
      socket.destroy();
      return;
    }
    answerUnreadable(error, socket, keylessLimit, now());
  });
  server.on('connect', (_request, socket: Socket) => {
    answerUnreadable({ code: 'METHOD' }, socket, keylessLimit, now());
  });
  return server;
}

function secureServer(
  bounds: ServerOptions,
  certificateFor: (name: string) => SecureContext | undefined,
  { handler, onOwnCertificate }: Options,
): Server {
  // A name without a certificate gets no handshake: the own one is for no other name.
  const nothing = createSecureContext();
  const minVersion = 'TLSv1.2' as const;
  const server = createSecureServer(
    {
      ...bounds,
      handshakeTimeout: 10_000,
      minVersion,
      SNICallback: (name, done) => done(null, certificateFor(name) ?? nothing),
    },
    handler,
  );
  const forget = onOwnCertificate?.((pair) => {
    server.setSecureContext(pair ? { key: pair.key, cert: pair.chain, minVersion } : { minVersion });
  });
  server.once('close', () => forget?.());
  return server;
}

async function bind(
  server: Server,
  port: number,
  host: string,
): Promise<{ port: number; address: string } | undefined> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      // A machine without IPv6 still has its other loopback address.
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve(undefined);
      else if (error.code === 'EADDRINUSE' || error.code === 'EACCES') reject(new PortTaken(port, host));
      else reject(error);
    });
    server.listen({ port, host, ipv6Only: host.includes(':') }, () => {
      server.removeAllListeners('error');
      const bound = server.address() as AddressInfo;
      resolve({ port: bound.port, address: bound.address });
    });
  });
}

function limitPerAddress(server: Server, trustedProxies: readonly string[]): void {
  const open = new Map<string, number>();
  const uncounted = ['127.0.0.0/8', '::1', ...trustedProxies];
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isInRanges(address, uncounted)) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > connectionsPerAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

const unreadable: Record<string, [status: number, code: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers of this request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'timeout', 'The request took too long to arrive.'],
  METHOD: [405, 'method_not_allowed', 'This method is not available.'],
};

/** Answers what Node's parser refuses, in the form of every other failure, and closes the connection. */
function answerUnreadable(
  error: { code?: string | undefined },
  socket: Socket,
  limit: number,
  now: number,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, message] = unreadable[error.code ?? ''] ?? [
    400,
    'bad_request',
    'This is not a valid HTTP request.',
  ];
  const body = JSON.stringify({ error: 1, message, code });
  const reset = Math.ceil(now / 1000) + 60;
  const headers = {
    ...jsonHeaders,
    ...rateHeaders({ limit, remaining: limit, reset, allowed: true, retryAfter: 0 }),
    ...(status === 405 && { Allow: 'GET, HEAD, POST, PUT, DELETE' }),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
