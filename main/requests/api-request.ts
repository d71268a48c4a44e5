import type { ApiReply, ApiRequest, Unreachable } from '../../preload/contract.ts';
import type { Instances } from '../instances/instances.ts';
import { carriesNoKey, type TokenKeeper } from '../instances/keep-token.ts';
import { agreeFirst, keyFor } from '../instances/key-for.ts';
import type { Target } from '../instances/target.ts';
import type { Secrets } from '../storage/secrets.ts';
import { accountHeader } from './account-header.ts';
import { apiAddress } from './api-address.ts';
import { Cancelled, reasonOf, replyFrom, unreachable } from './api-reply.ts';
import type { Fetcher } from './fetcher.ts';
import { Refused } from './refused.ts';

/** Sends the page's requests to the instances, with the key of exactly that instance. */
export interface ApiRequests {
  send(instanceId: string, requestId: string, request: ApiRequest): Promise<ApiReply | Unreachable>;
  cancel(requestId: string): void;
  /** For when the page is gone and nobody waits any more. */
  cancelAll(): void;
}

interface ApiRequestsOptions {
  instances: Instances;
  secrets: Secrets;
  fetchers: Record<Target['kind'], Fetcher>;
  keepToken: TokenKeeper;
  /** For tests: how long a small request may take, waiting for a starting server included. Milliseconds. */
  timeout?: number;
}

const TIMEOUT = 15_000;
/** What a slow line still sends in a millisecond: a picture takes its time on it. Bytes. */
const SLOWEST_LINE = 8;
const MAX_IN_FLIGHT = 200;

const closedKey = {
  locked: "This system's key store is locked. Unlock it and try again.",
  foreign:
    "The sign-in that is kept here can't be opened: it is from another computer or user, or the key store was reset. It is kept until you sign in again.",
};

export function apiRequests(options: ApiRequestsOptions): ApiRequests {
  const { instances, secrets, fetchers, keepToken, timeout = TIMEOUT } = options;
  const inFlight = new Map<string, AbortController>();

  async function send(instanceId: string, request: ApiRequest, signal: AbortSignal) {
    const target = await instances.reachTarget(instanceId, signal);
    if (!target) return unreachable('offline', 'The server is not running.');
    const address = apiAddress(target.origin, request.path);
    if (!address) throw new Refused('Unknown API endpoint.');

    const isKeyless = carriesNoKey(request);
    // These carry a password, and bring a key.
    if (isKeyless && target.isClear) throw new Refused(agreeFirst);
    const key = isKeyless ? undefined : await keyFor(secrets, target);
    signal.throwIfAborted();
    const init: RequestInit = {
      method: request.method,
      headers: {
        accept: 'application/json',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}`, ...accountHeader(request.account) }),
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      // A redirect would carry the request, and where it leads, out of our hands.
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      signal,
    };
    const { ok, reply } = await replyFrom(() => fetchers[target.kind](address, init));
    const closed = isKeyless || key !== undefined ? undefined : secrets.whyClosed(target.binding);
    // The page would take it for the end of the sign-in, and have the key forgotten.
    if (closed && isAboutKey(request, reply)) return unreachable(closed, closedKey[closed]);
    if (key !== undefined && (ok || reply.status === 401)) instances.noteKey(instanceId, ok);
    return keepToken(instanceId, target, request, reply);
  }

  return {
    async send(instanceId, requestId, request) {
      if (inFlight.has(requestId)) throw new Refused('A request with this name is already running.');
      if (inFlight.size >= MAX_IN_FLIGHT) throw new Refused('Too many requests are running.');
      const abort = new AbortController();
      // Throws for what is no JSON, which must leave nothing in flight.
      const time = timeout + sendingTime(request);
      inFlight.set(requestId, abort);
      const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(time)]);
      try {
        return await send(instanceId, request, signal);
      } catch (error) {
        return reasonOf(error, signal);
      } finally {
        inFlight.delete(requestId);
      }
    },
    cancel: (requestId) => inFlight.get(requestId)?.abort(new Cancelled()),
    cancelAll() {
      for (const abort of inFlight.values()) abort.abort(new Cancelled());
    },
  };
}

/** How much longer what is sent may take. Milliseconds. */
function sendingTime({ body }: ApiRequest): number {
  return body === undefined ? 0 : Math.ceil(JSON.stringify(body).length / SLOWEST_LINE);
}

/**
 * Whether a reply refuses a request for its lack of a key; a server of the published contract does so with any status.
 */
function isAboutKey({ path }: ApiRequest, { status }: ApiReply): boolean {
  return status === 401 || (path === '/api/account' && status >= 400 && status < 500 && status !== 429);
}
