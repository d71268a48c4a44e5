import type { ApiReply, ApiRequest, Unreachable } from '../preload/contract.ts';
import { apiAddress } from './api-address.ts';
import { BodyTooLarge, readBounded } from './bounded-body.ts';
import type { Instances, Target } from './instances.ts';
import { carriesNoKey, type TokenKeeper } from './keep-token.ts';
import { Refused } from './refused.ts';
import type { Secrets } from './secrets.ts';

/** Sends the page's requests to the instances, with the key of exactly that instance. */
export interface ApiRequests {
  send(instanceId: string, requestId: string, request: ApiRequest): Promise<ApiReply | Unreachable>;
  cancel(requestId: string): void;
  /** For when the page is gone and nobody waits any more. */
  cancelAll(): void;
}

/** Makes the requests to instances of one kind. */
export type Fetcher = (address: string, init: RequestInit) => Promise<Response>;

interface ApiRequestsOptions {
  instances: Instances;
  secrets: Secrets;
  fetchers: Record<Target['kind'], Fetcher>;
  keepToken: TokenKeeper;
  /** For tests: how long a request may take, waiting for a starting server included. Milliseconds. */
  timeout?: number;
}

const TIMEOUT = 15_000;
const MAX_BODY = 10 * 1024 * 1024;
const MAX_IN_FLIGHT = 200;

/** Header values are shown or parsed as numbers by the page; nothing of use is longer. */
const MAX_HEADER = 200;
const PASSED_HEADERS = /^(content-type|retry-after|x-ratelimit-[a-z-]{1,30})$/;

class Cancelled extends Error {}

export function apiRequests(options: ApiRequestsOptions): ApiRequests {
  const { instances, secrets, fetchers, keepToken, timeout = TIMEOUT } = options;
  const inFlight = new Map<string, AbortController>();

  async function send(instanceId: string, request: ApiRequest, signal: AbortSignal) {
    const target = await instances.reachTarget(instanceId, signal);
    if (!target) return unreachable('offline', 'The server is not running.');
    const address = apiAddress(target.origin, request.path);
    if (!address) throw new Refused('The path of the request is not one of the interface.');

    const isKeyless = carriesNoKey(request);
    const key = isKeyless ? undefined : await secrets.find(target.binding);
    signal.throwIfAborted();
    const response = await fetchers[target.kind](address, {
      method: request.method,
      headers: {
        accept: 'application/json',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      // A redirect would carry the request, and where it leads, out of our hands.
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    const reply = {
      status: response.status,
      headers: passedHeaders(response.headers),
      body: parsedOrNull((await readBounded(response, MAX_BODY)).toString('utf8')),
    };
    if (key !== undefined && (response.ok || response.status === 401)) {
      instances.noteKey(instanceId, response.ok);
    }
    return keepToken(instanceId, target, request, reply);
  }

  return {
    async send(instanceId, requestId, request) {
      if (inFlight.has(requestId)) throw new Refused('A request of that name is under way.');
      if (inFlight.size >= MAX_IN_FLIGHT) throw new Refused('Too many requests are under way.');
      const abort = new AbortController();
      inFlight.set(requestId, abort);
      const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(timeout)]);
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

/** Why there is no reply. Errors that are not about the network (a forbidden path) are thrown on. */
function reasonOf(error: unknown, signal: AbortSignal): Unreachable {
  if (signal.aborted && signal.reason instanceof Cancelled) {
    return unreachable('cancelled', 'The request was given up.');
  }
  if (signal.aborted) return unreachable('timeout', 'The server took too long to answer.');
  if (error instanceof BodyTooLarge) {
    return unreachable('offline', 'The server sent more than this app is willing to read.');
  }
  // Both fetchers say so when there is no usable answer: nobody listens, the line broke, a redirect came.
  if (error instanceof TypeError || isNetworkError(error)) {
    return unreachable('offline', 'The server does not answer.');
  }
  throw error;
}

/** Chromium's fetcher fails with a plain Error whose message is a code such as `net::ERR_CONNECTION_REFUSED`. */
function isNetworkError(error: unknown): boolean {
  return error instanceof Error && /^net::ERR_[A-Z_]+/.test(error.message);
}

function unreachable(reason: Unreachable['unreachable'], message: string): Unreachable {
  return { unreachable: reason, message };
}

function passedHeaders(headers: Headers): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (PASSED_HEADERS.test(name)) passed[name] = value.slice(0, MAX_HEADER);
  }
  return passed;
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Empty, or a proxy's HTML page: the page reports what the status says.
    return null;
  }
}
