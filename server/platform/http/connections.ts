import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { canonicalAddress, isInRanges, networkOf } from './addresses.ts';

/** The open connections of all listeners of a server. */
export interface Connections {
  /**
   * Takes in a connection that was just opened: it is closed, or another one in its place, where there are too many.
   */
  admit(socket: Socket): void;
  /** Notes that a connection taken in before goes on as an encrypted one. */
  encrypted(socket: Socket): void;
  /** Notes that a request of a connection is being answered; false where too many before it are not answered yet. */
  answering(response: ServerResponse): boolean;
  /** The latest answer of a connection that is not written to its end yet. */
  unfinishedAnswer(socket: Socket): ServerResponse | undefined;
}

interface Options {
  /** Proxies stand for many visitors; the limit of a network is not theirs. */
  trustedProxies: () => readonly string[];
  /** Connections of all networks together. */
  most?: number;
  /** Connections of one network: an IPv4 address or an IPv6 /64. */
  mostPerNetwork?: number;
  /** Networks without a limit of their own: this machine, where a proxy may run that we were not told about. */
  unlimited?: readonly string[];
}

interface Connection {
  socket: Socket;
  network: string;
  isLimited: boolean;
  response: ServerResponse | undefined;
  /** Requests that came before the one before them was answered, and wait for that. */
  waiting: number;
}

/**
 * Requests that one connection may send ahead of their answers. Node reads on until the answers of a whole packet fill
 * its buffers, so that one client could have thousands of pages made which it never fetches.
 */
const mostWaiting = 16;

/**
 * Keeps networks from shutting each other out (T-06). One network has a limited number of connections, and when all are
 * taken a newcomer gets the place of the network that holds the most: first of a connection that asks for nothing, then
 * of one that has not sent its whole request, and last of one that is being answered.
 */
export function connections(options: Options): Connections {
  const { most = 2_000, mostPerNetwork = 100, unlimited = ['127.0.0.0/8', '::1'] } = options;
  const networks = new Map<string, Set<Connection>>();
  const known = new WeakMap<Socket, Connection>();
  /** Connections by both of their ends: an encrypted socket does not say which one it came from. */
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

  /** The connection that goes first when a newcomer needs its place. */
  function dispensable(): Connection | undefined {
    let found: { connection: Connection; stage: number; size: number } | undefined;
    for (const ofNetwork of networks.values()) {
      const { size } = ofNetwork;
      if (found && (size < found.size || (size === found.size && found.stage === 0))) continue;
      const candidate = leastAdvanced(ofNetwork);
      // What a proxy is being answered may be for anybody.
      if (!candidate || (candidate.stage === 2 && !candidate.connection.isLimited)) continue;
      if (!found || size > found.size || candidate.stage < found.stage) found = { ...candidate, size };
    }
    return found?.connection;
  }

  return {
    admit(socket) {
      // Node takes its own listener away when it hands a connection over, and an error that nobody hears ends the
      // process.
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
        // At once, as the next newcomer may come before its socket says that it is closed.
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
      // An answer that has to wait for another has no socket yet.
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
 * Has Node's parser leave the rest of what it has of a connection that is going to be cut. One packet holds 1,400
 * requests, and an object for each of them would take it a tenth of a second. There is no public way to tell it so;
 * where the parser is another one some day, it reads on as it always did, and the test of it fails.
 */
function readNoFurther(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: () => number } | null };
  // What it does where a request goes over to another protocol: the bytes that follow are none of HTTP.
  if (parser) parser.onIncoming = () => 2;
}

/** The oldest of those that have come the least far. */
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

/** How far a connection has come: 0 asks for nothing, 1 has not sent its whole request, 2 is being answered. */
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
