import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { canonicalAddress, isInRanges, networkOf } from './addresses.ts';

/** The open connections of all listeners of a server. */
export interface Connections {
  /** Registers a new connection: it, or another one in its place, is closed if there are too many. */
  admit(socket: Socket): void;
  /** Records that a registered connection continues as an encrypted one. */
  encrypted(socket: Socket): void;
  /** Records that a request of a connection is being answered; false if too many earlier ones are still unanswered. */
  answering(response: ServerResponse): boolean;
  /** The latest unfinished response of a connection. */
  unfinishedAnswer(socket: Socket): ServerResponse | undefined;
}

interface Options {
  /** Proxies represent many visitors; the limit per network does not apply to them. */
  trustedProxies: () => readonly string[];
  /** Connections of all networks. */
  most?: number;
  /** Connections of one network: an IPv4 address or an IPv6 /64. */
  mostPerNetwork?: number;
  /** Networks without their own limit: this machine, where a proxy may run that is not configured. */
  unlimited?: readonly string[];
  /** Called for every accepted connection. */
  onArrival?: () => void;
}

interface Connection {
  socket: Socket;
  network: string;
  isLimited: boolean;
  response: ServerResponse | undefined;
  /** Pipelined requests, waiting for the previous response. */
  waiting: number;
}

/**
 * Requests that one connection may pipeline. Node reads on until the responses to a whole packet fill its buffers, so
 * that one client could have thousands of pages rendered that it never reads.
 */
const mostWaiting = 16;

/**
 * Keeps one network from taking all connections (T-06). Each network has a limit, and when all connections are taken a
 * new one replaces one of the network that holds the most: first an idle one, then one with an incomplete request, and
 * last one that is being answered.
 */
export function connections(options: Options): Connections {
  const { most = 2_000, mostPerNetwork = 100, unlimited = ['127.0.0.0/8', '::1'] } = options;
  const networks = new Map<string, Set<Connection>>();
  const known = new WeakMap<Socket, Connection>();
  /** Connections by both endpoints: an encrypted socket does not reveal its original socket. */
  const byEnds = new Map<string, Connection>();
  let count = 0;

  function add(connection: Connection, ends: string): void {
    const { socket, network } = connection;
    count += 1;
    known.set(socket, connection);
    byEnds.set(ends, connection);
    const ofNetwork = networks.get(network);
    if (ofNetwork) ofNetwork.add(connection);
    else networks.set(network, new Set([connection]));
    socket.once('close', () => {
      if (byEnds.get(ends) === connection) byEnds.delete(ends);
      remove(connection);
    });
  }

  function remove(connection: Connection): void {
    const ofNetwork = networks.get(connection.network);
    if (!ofNetwork?.delete(connection)) return;
    count -= 1;
    if (ofNetwork.size === 0) networks.delete(connection.network);
  }

  /** The connection to close when a new one needs its place. */
  function dispensable(): Connection | undefined {
    let found: { connection: Connection; stage: number; size: number } | undefined;
    for (const ofNetwork of networks.values()) {
      const { size } = ofNetwork;
      if (found && (size < found.size || (size === found.size && found.stage === 0))) continue;
      const candidate = leastAdvanced(ofNetwork);
      // A response to a proxy may be for anyone.
      if (!candidate || (candidate.stage === 2 && !candidate.connection.isLimited)) continue;
      if (!found || size > found.size || candidate.stage < found.stage) found = { ...candidate, size };
    }
    return found?.connection;
  }

  return {
    admit(socket) {
      options.onArrival?.();
      // Node removes its own listener when it hands a connection over, and an unhandled error would end the process.
      socket.on('error', () => {});
      const address = canonicalAddress(socket.remoteAddress ?? '');
      const network = networkOf(address);
      const isLimited = !isInRanges(address, unlimited) && !isInRanges(address, options.trustedProxies());
      if (isLimited && (networks.get(network)?.size ?? 0) >= mostPerNetwork) {
        socket.destroy();
        return;
      }
      if (count >= most) {
        const leaving = dispensable();
        if (!leaving) {
          socket.destroy();
          return;
        }
        // Synchronously, as the next connection may arrive before this socket reports that it is closed.
        remove(leaving);
        leaving.socket.destroy();
      }
      add({ socket, network, isLimited, response: undefined, waiting: 0 }, endsOf(socket));
    },
    encrypted(socket) {
      socket.on('error', () => {});
      const connection = byEnds.get(endsOf(socket));
      if (connection) known.set(socket, connection);
    },
    answering(response) {
      // A response that waits for an earlier one has no socket yet.
      const connection = known.get(response.req.socket);
      if (!connection) return true;
      const before = connection.response;
      if (before && isUnfinished(before)) {
        if (connection.waiting >= mostWaiting) {
          readNoFurther(response.req.socket);
          return false;
        }
        connection.waiting += 1;
        response.once('close', () => {
          connection.waiting -= 1;
        });
      }
      connection.response = response;
      return true;
    },
    unfinishedAnswer(socket) {
      const response = known.get(socket)?.response;
      return response && isUnfinished(response) ? response : undefined;
    },
  };
}

/**
 * Makes Node's parser drop the rest of a connection that is being closed. One packet holds 1,400 requests, and
 * creating an object for each takes a tenth of a second. There is no public API for this; with a different parser,
 * everything would be read as before, and the test fails.
 */
function readNoFurther(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: () => number } | null };
  // As after a protocol upgrade: the following bytes are not HTTP.
  if (parser) parser.onIncoming = () => 2;
}

/** The oldest of those that are least advanced. */
function leastAdvanced(
  ofNetwork: ReadonlySet<Connection>,
): { connection: Connection; stage: number } | undefined {
  let found: { connection: Connection; stage: number } | undefined;
  for (const connection of ofNetwork) {
    const stage = stageOf(connection);
    if (!found || stage < found.stage) found = { connection, stage };
    if (stage === 0) break;
  }
  return found;
}

/** The state of a connection: 0 is idle, 1 has an incomplete request, 2 is being answered. */
function stageOf({ response }: Connection): number {
  if (!response || !isUnfinished(response)) return 0;
  return response.req.complete ? 2 : 1;
}

function isUnfinished(response: ServerResponse): boolean {
  return !response.writableFinished && !response.destroyed;
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
