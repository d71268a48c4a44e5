import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { isExempt } from './body-time.ts';
import type { Connections } from './connections.ts';
import { answerFailure } from './errors.ts';
import { paceHandshakes } from './handshakes.ts';
import { refuseUnreadable, type UnreadableBounds, unreadableAnswers } from './unreadable.ts';

export interface Listening {
  port: number;
  /** The addresses in use. */
  addresses: string[];
  /** Stops accepting connections, lets current requests finish within the time, then aborts the rest. */
  stop(graceMs: number): Promise<void>;
}

/** The requested port is in use by another program. */
export class PortTaken extends Error {
  readonly port: number;

  constructor(port: number, host: string) {
    super(
      `Port ${port} on ${host} is in use by another program. Stop it, or choose another port with --port.`,
    );
    this.port = port;
  }
}

/** The state shared by all listeners of a server. */
export interface ListenBounds extends UnreadableBounds {
  connections: Connections;
  log: Pick<Logger, 'error'>;
}

interface Options extends ListenBounds {
  hosts: readonly string[];
  port: number;
  handler: RequestListener;
  /** Milliseconds within which a whole request must arrive, except for those that limit their own time. */
  requestMs?: number;
  /** Enables HTTPS: the certificate for the requested name, looked up at each handshake. */
  certificateFor?: (name: string) => SecureContext | undefined;
  /**
   * Reports the certificate for clients that send no host name, as browsers do for IP addresses; calls back
   * immediately and after every change, until the returned function is called.
   */
  onOwnCertificate?: (listener: (pair: { key: string; chain: string } | undefined) => void) => () => void;
}

/** Headers of one request; Node would silently drop those beyond its own limit, and a proxy's headers come last. */
const mostHeaders = 100;
/** How soon a stopping server closes a connection that has received its response. */
const sweepMs = 50;
/** How long a connection may stall during a response, or during a body that limits its own time. */
const stillMs = 120_000;

/** Listens on every host with one handler; port 0 uses any free one, the same for all hosts. */
export async function listen(options: Options): Promise<Listening> {
  const servers: Server[] = [];
  let { port } = options;
  const addresses: string[] = [];
  try {
    for (const host of options.hosts) {
      const server = hardened(options);
      const bound = await bind(server, port, host);
      if (!bound) continue;
      // From now on only accepting can fail, for lack of descriptors or memory, which is temporary.
      server.on('error', (err) => options.log.error({ err }, 'a connection could not be accepted'));
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
      // Repeatedly: a connection whose response ends only now would be kept alive for another request, which cannot
      // come.
      const sweep = setInterval(() => {
        for (const server of servers) server.closeIdleConnections();
      }, sweepMs);
      const cut = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, graceMs);
      await Promise.all(closed);
      clearTimeout(cut);
      clearInterval(sweep);
    },
  };
}

/** A server with time and size limits against slow and greedy clients (T-06). */
function hardened(options: Options): Server {
  const { connections, requestMs = 30_000, certificateFor } = options;
  const handler = guarded(options);
  const bounds = {
    headersTimeout: Math.min(8_000, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(2_000, requestMs),
    keepAliveTimeout: 5_000,
    maxHeaderSize: 16 * 1024,
    // Detects peers that disappeared without closing.
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    // A request without a Host is rejected where wrong ones are: Node's own response has no body and none of our
    // headers.
    requireHostHeader: false,
  };
  const server = certificateFor
    ? secureServer(bounds, certificateFor, handler, options)
    : createServer(bounds, handler);
  server.timeout = stillMs;
  server.maxHeadersCount = 0;
  // Node would answer an unknown Expect header itself, without our headers.
  server.on('checkExpectation', handler);
  server.on('connection', connections.admit);
  server.on('secureConnection', connections.encrypted);
  const answer = unreadableAnswers(options);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Node emits this once per request and leaves the connection to this listener.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isExempt(socket)) return;
    // Nothing can be sent on a connection that never completed its TLS handshake.
    if (certificateFor && !error.code?.startsWith('HPE_') && error.code !== 'ERR_HTTP_REQUEST_TIMEOUT')
      socket.destroy();
    else answer(error.code, socket);
  });
  server.on('connect', (_request, socket: Socket) => answer('METHOD', socket));
  return server;
}

/** The handler with the limits of a single request; its errors are answered, and do not affect other requests. */
function guarded(options: Options): RequestListener {
  const { handler, connections, log } = options;
  return (request, response) => {
    // The parser continues with the buffered data of a closed connection.
    if (request.socket.destroyed) return;
    if (!connections.answering(response)) {
      request.socket.destroy();
      return;
    }
    // Writing to a client that is gone emits an error, which would end the process if unhandled.
    response.on('error', () => {});
    if (request.rawHeaders.length > 2 * mostHeaders) {
      refuseUnreadable(response, 'HPE_HEADER_OVERFLOW', options);
      return;
    }
    if (hasForeignCoding(request.rawHeaders, request.httpVersion)) {
      refuseUnreadable(response, 'OTHER', options);
      return;
    }
    try {
      handler(request, response);
    } catch (error) {
      answerFailure(response, error, log);
    }
  };
}

/**
 * Whether the end of a body is ambiguous: in HTTP/1.0, or with a transfer coding other than `chunked`, a proxy may see
 * a different end, and what follows as another request (RFC 9112, 6.1). Read from the raw list, as `request.headers`
 * would build an object for each redirect.
 */
function hasForeignCoding(raw: readonly string[], httpVersion: string): boolean {
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]?.length !== 17 || raw[index]?.toLowerCase() !== 'transfer-encoding') continue;
    if (httpVersion !== '1.1' || raw[index + 1]?.toLowerCase() !== 'chunked') return true;
  }
  return false;
}

function secureServer(
  bounds: ServerOptions,
  certificateFor: (name: string) => SecureContext | undefined,
  handler: RequestListener,
  { onOwnCertificate }: Options,
) {
  // Names without a certificate get no handshake: ours is for no other name.
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
  paceHandshakes(server);
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
    const fail = (error: NodeJS.ErrnoException) => {
      // A machine without IPv6 still has the IPv4 loopback address.
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve(undefined);
      else if (error.code === 'EADDRINUSE' || error.code === 'EACCES') reject(new PortTaken(port, host));
      else reject(error);
    };
    server.once('error', fail);
    server.listen({ port, host, ipv6Only: host.includes(':') }, () => {
      server.removeListener('error', fail);
      const bound = server.address() as AddressInfo;
      resolve({ port: bound.port, address: bound.address });
    });
  });
}
