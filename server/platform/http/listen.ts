import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { isExempt } from './body-time.ts';
import type { Connections } from './connections.ts';
import { answerFailure } from './errors.ts';
import { refuseUnreadable, type UnreadableBounds, unreadableAnswers } from './unreadable.ts';

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
    super(
      `Port ${port} on ${host} is in use by another program. Stop it, or choose another port with --port.`,
    );
    this.port = port;
  }
}

/** What all listeners of a server share. */
export interface ListenBounds extends UnreadableBounds {
  connections: Connections;
  log: Pick<Logger, 'error'>;
}

interface Options extends ListenBounds {
  hosts: readonly string[];
  port: number;
  handler: RequestListener;
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

/** Headers of one request; Node would drop those beyond its own bound in silence, and a proxy's come last. */
const mostHeaders = 100;
/** How soon a server that stops closes a connection that has had its answer. */
const sweepMs = 50;
/** For how long a connection may stand still in the middle of an answer or a body that bounds its own time. */
const stillMs = 120_000;

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
      // From now on only accepting can fail, for want of descriptors or memory, and those come back.
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
      // Again and again: a connection whose answer ends only now would be kept for another request, which cannot come.
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

/** A server with the time and size bounds that keep slow and greedy clients from starving others (T-06). */
function hardened(options: Options): Server {
  const { connections, requestMs = 30_000, certificateFor } = options;
  const handler = guarded(options);
  const bounds = {
    headersTimeout: Math.min(8_000, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(2_000, requestMs),
    keepAliveTimeout: 5_000,
    maxHeaderSize: 16 * 1024,
    // Finds out that a peer is gone without a word.
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    // A request without a Host is refused where wrong ones are: Node's own answer has no body and none of our headers.
    requireHostHeader: false,
  };
  const server = certificateFor
    ? secureServer(bounds, certificateFor, handler, options)
    : createServer(bounds, handler);
  server.timeout = stillMs;
  server.maxHeadersCount = 0;
  // An Expect header that Node does not know would be answered by Node itself, without our headers.
  server.on('checkExpectation', handler);
  server.on('connection', connections.admit);
  server.on('secureConnection', connections.encrypted);
  const answer = unreadableAnswers(options);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Node says so once a request and leaves the connection to this listener.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isExempt(socket)) return;
    // Nobody can read an answer on a connection that never became an encrypted one.
    if (certificateFor && !error.code?.startsWith('HPE_') && error.code !== 'ERR_HTTP_REQUEST_TIMEOUT')
      socket.destroy();
    else answer(error.code, socket);
  });
  server.on('connect', (_request, socket: Socket) => answer('METHOD', socket));
  return server;
}

/** The handler behind the bounds of a single request; whatever it throws is answered, and hurts nobody else. */
function guarded(options: Options): RequestListener {
  const { handler, connections, log } = options;
  return (request, response) => {
    // The parser goes on with what it has of a connection that was cut.
    if (request.socket.destroyed) return;
    if (!connections.answering(response)) {
      request.socket.destroy();
      return;
    }
    // Writing to a client that is gone is an error of the answer, which would end the process if nobody heard it.
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
 * Whether the end of a body is a matter of opinion: in HTTP/1.0, or under a transfer coding other than `chunked`, a
 * proxy may see another one than we do, and what follows as another request (RFC 9112, 6.1). Read from the raw list, as
 * `request.headers` would build an object for each redirect.
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
    const fail = (error: NodeJS.ErrnoException) => {
      // A machine without IPv6 still has its other loopback address.
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
