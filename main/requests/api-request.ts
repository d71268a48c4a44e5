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

/** Sends the page's requests to the instances, each with that instance's own key. */
export interface ApiRequests {
  send(instanceId: string, requestId: string, request: ApiRequest): Promise<ApiReply | Unreachable>;
  cancel(requestId: string): void;
  /** Called when the page is gone. */
  cancelAll(): void;
}

interface ApiRequestsOptions {
  instances: Instances;
  secrets: Secrets;
  fetchers: Record<Target['kind'], Fetcher>;
  keepToken: TokenKeeper;
  /** For tests: timeout of a small request, including waiting for the server to start. Milliseconds. */
  timeout?: number;
}

const TIMEOUT = 15_000;
/** Minimum upload rate assumed for large requests such as images. Bytes per millisecond. */
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
    // These requests carry a password and return a key.
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
      // A redirect would forward the request to another address.
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      signal,
    };
    const { ok, reply } = await replyFrom(() => fetchers[target.kind](address, init));
    const closed = isKeyless || key !== undefined ? undefined : secrets.whyClosed(target.binding);
    // The page would treat this reply as an expired session and delete the key.
    if (closed && isAboutKey(request, reply)) return unreachable(closed, closedKey[closed]);
    if (key !== undefined && (ok || reply.status === 401)) instances.noteKey(instanceId, ok);
    return keepToken(instanceId, target, request, reply);
  }

  return {
    async send(instanceId, requestId, request) {
      if (inFlight.has(requestId)) throw new Refused('A request with this name is already running.');
      if (inFlight.size >= MAX_IN_FLIGHT) throw new Refused('Too many requests are running.');
      const abort = new AbortController();
      // Throws for a body that cannot be serialized, so it runs before the request is registered as in flight.
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

/** Extra time allowed for sending the body. Milliseconds. */
function sendingTime({ body }: ApiRequest): number {
  return body === undefined ? 0 : Math.ceil(JSON.stringify(body).length / SLOWEST_LINE);
}

/** Whether a reply rejects a request for lack of a key; servers of the published contract use various statuses. */
function isAboutKey({ path }: ApiRequest, { status }: ApiReply): boolean {
  return status === 401 || (path === '/api/account' && status >= 400 && status < 500 && status !== 429);
}
