import type { ApiReply } from '../../preload/contract.ts';
import type {
  AnyEndpoint,
  BodyInput,
  PathParams,
  QueryInput,
  ReplyOf,
} from '../../server/contract/endpoint.ts';
import { failure } from '../../server/contract/envelope.ts';
import { safeParse } from '../../server/contract/safe-parse.ts';
import type { Destination } from './destination.ts';
import { ApiFailure } from './failure.ts';
import { withBoundedRows } from './row-bounds.ts';
import type { Transport } from './transport.ts';

export interface CallOptions<E extends AnyEndpoint> {
  /** Values of the path's `:names`. */
  readonly params?: PathParams<E['path']>;
  readonly query?: QueryInput<E>;
  readonly body?: BodyInput<E>;
  /** The version of the record that an update is made from; undefined where the server counts none. */
  readonly version?: number | undefined;
  readonly signal?: AbortSignal;
}

/** What a call cannot do without: the parameters of the path, and a body that has a field which is required. */
type Needed<E extends AnyEndpoint> = Pick<
  Required<CallOptions<E>>,
  | (Record<string, never> extends PathParams<E['path']> ? never : 'params')
  | (Record<string, never> extends BodyInput<E> ? never : 'body')
>;

type CallArguments<E extends AnyEndpoint> =
  Record<string, never> extends Needed<E>
    ? [options?: CallOptions<E>]
    : [options: CallOptions<E> & Needed<E>];

export type Call = <E extends AnyEndpoint>(endpoint: E, ...rest: CallArguments<E>) => Promise<ReplyOf<E>>;

/** A pause that the server asked for. */
export interface RateWait {
  readonly seconds: number;
  /** Ends the wait; the call then fails with kind `limited`. */
  cancel(): void;
}

export interface ClientOptions {
  readonly transport: Pick<Transport, 'request'>;
  readonly instanceId: () => string;
  /** The team that acts; by default, and where it is undefined, the person's own account. */
  readonly account?: () => number | undefined;
  /** A 429 came; the call goes on by itself. The returned function is called when the wait is over. */
  readonly onWait?: (wait: RateWait) => () => void;
  /** The key is missing, expired or revoked. */
  readonly onUnauthorized?: (instanceId: string) => void;
  /** The person has no part in the team that a request named, or no longer. */
  readonly onAccountLost?: (instanceId: string, account: number) => void;
  /** Told for every request whether the server was there, and by a code why not. */
  readonly onReached?: (instanceId: string, reached: boolean, code?: string) => void;
}

/** The longest time that one call waits for the rate limit by itself. */
const longestWaitSeconds = 90;

/**
 * Makes the function that all pages call the server with. It throws ApiFailure and nothing else, but for an
 * AbortError when the caller's `signal` aborts.
 */
export function apiClient(options: ClientOptions): Call {
  return async (endpoint, ...[input]) => {
    const instanceId = options.instanceId();
    const account = options.account?.();
    const request = {
      method: endpoint.method,
      path: filledPath(endpoint.path, input?.params) + queryString(input?.query),
      ...(input?.body !== undefined && { body: withVersion(input.body, input.version) }),
      ...(account !== undefined && { account }),
    };
    const isPaged = typeof input?.query === 'object' && input.query !== null && 'limit' in input.query;
    let waited = 0;
    for (;;) {
      const reply = await send();
      if (reply.status !== 429) {
        // A public endpoint's 401 is about what was typed (a wrong password), not about the key.
        if (reply.status === 401 && endpoint.access !== 'public') options.onUnauthorized?.(instanceId);
        if (account !== undefined && isAccountLost(reply)) options.onAccountLost?.(instanceId, account);
        // What an action did to each of 10,000 rows is counted, not drawn.
        return readReply(endpoint, endpoint.method === 'GET' ? withBoundedRows(reply, isPaged) : reply);
      }
      const seconds = waitSeconds(reply);
      const limited = failureOf(reply, 'limited', seconds);
      if (waited + seconds > longestWaitSeconds) throw limited;
      waited += seconds;
      await waitFor(seconds, limited, input?.signal);
    }

    async function send(): Promise<ApiReply> {
      try {
        const reply = await options.transport.request(instanceId, request, input?.signal);
        options.onReached?.(instanceId, true);
        return reply;
      } catch (error) {
        if (error instanceof ApiFailure && error.kind === 'unreachable' && error.code !== 'cancelled') {
          options.onReached?.(instanceId, false, error.code);
        }
        throw error;
      }
    }
  };

  /** Ends early when the person or the caller gives up; the difference is in what is thrown. */
  function waitFor(seconds: number, limited: ApiFailure, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(resolve), seconds * 1000);
      const abort = () => end(() => reject(new DOMException('Cancelled.', 'AbortError')));
      signal?.addEventListener('abort', abort, { once: true });
      const over = options.onWait?.({ seconds, cancel: () => end(() => reject(limited)) });
      function end(settle: () => void) {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        over?.();
        settle();
      }
    });
  }
}

function withVersion(body: unknown, version: number | undefined): unknown {
  return version === undefined ? body : { ...(body as object), version };
}

/** Not the 400 of a request whose own field names an account. */
function isAccountLost({ status, body }: ApiReply): boolean {
  if (status !== 404) return false;
  return safeParse(failure, body).data?.code === 'account_not_found';
}

/** What a reply says, as the contract has it. Throws ApiFailure for everything that is not a success. */
export function readReply<E extends AnyEndpoint>(endpoint: E, reply: ApiReply): ReplyOf<E> {
  if (reply.status === 401) throw failureOf(reply, 'unauthorized');
  if (reply.status === 429) throw failureOf(reply, 'limited', waitSeconds(reply));
  if (reply.status >= 400 || saysFailed(reply.body)) throw failureOf(reply, 'refused');
  const parsed = safeParse(endpoint.reply, reply.body);
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') || 'the reply';
    throw new ApiFailure('malformed', `The server's answer could not be understood (${where}).`, {
      status: reply.status,
    });
  }
  return parsed.data;
}

let installed: Call | undefined;
let installedAt: CallAt | undefined;

/**
 * Makes what calls one account: a team's, or by default the person's own. `onWait` is told when the rate limit makes a
 * call wait; see ClientOptions.
 */
export type CallAt = (to: Destination, onWait?: ClientOptions['onWait']) => Call;

/**
 * Done once at the start; tests install a client over a transport of their own. `at` makes the client of one account,
 * whichever is shown.
 */
export function installClient(client: Call, at: CallAt = () => client): void {
  installed = client;
  installedAt = at;
}

/** What calls one account, whichever is shown. */
export const callAt: CallAt = (to, onWait) => {
  if (!installedAt) throw new Error('installClient comes before the first call.');
  return installedAt(to, onWait);
};

/**
 * Calls the instance and the account that are shown now: `await call(getLink, { params: { id } })`. Throws ApiFailure.
 */
export const call: Call = (endpoint, ...rest) => {
  if (!installed) throw new Error('installClient comes before the first call.');
  return installed(endpoint, ...rest);
};

/** The path of an endpoint with its `:names` filled in. */
export function filledPath(path: string, params: Readonly<Record<string, string | number>> = {}): string {
  return path.replace(/:([a-z]+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The path ${path} needs the parameter ${name}.`);
    return encodeURIComponent(String(value));
  });
}

/** `?name=value…`, or '' where nothing is set. Each value of a list is one more parameter, an empty one too. */
export function queryString(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (Array.isArray(value)) for (const each of value) search.append(name, String(each));
    else if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text && `?${text}`;
}

/** Success is `error: 0`; other servers of the contract send "0", and the OpenAPI document has none. */
function saysFailed(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  return body.error !== 0 && body.error !== '0' && body.error !== false;
}

function failureOf(
  reply: ApiReply,
  kind: 'refused' | 'limited' | 'unauthorized',
  retryAfter?: number,
): ApiFailure {
  const parsed = safeParse(failure, reply.body);
  if (!parsed.success) {
    const wellKnown = kind === 'limited' || kind === 'unauthorized';
    return new ApiFailure(
      wellKnown ? kind : 'malformed',
      `The server answered with status ${reply.status}.`,
      {
        status: reply.status,
        ...(retryAfter !== undefined && { retryAfter }),
      },
    );
  }
  const { message, code, field, errors, id, data } = parsed.data;
  return new ApiFailure(kind, message, {
    status: reply.status,
    ...(code !== undefined && { code }),
    ...(field !== undefined && { field }),
    ...(errors !== undefined && { errors }),
    ...(id !== undefined && { id }),
    ...(data !== undefined && { data }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/**
 * Seconds to wait after a 429: what Retry-After says, else until the X-RateLimit-Reset that the contract promises
 * without saying in which format, else one second. A bad header cannot stall us.
 */
function waitSeconds(reply: ApiReply): number {
  const seconds = Number(reply.headers['retry-after']);
  if (Number.isFinite(seconds) && seconds > 0) return Math.ceil(seconds);
  const untilReset = secondsUntil(reply.headers['x-ratelimit-reset'] ?? '');
  return untilReset > 0 && untilReset <= longestWaitSeconds ? Math.ceil(untilReset) : 1;
}

/** Unix seconds or milliseconds, seconds from now, or a date. NaN for anything else. */
function secondsUntil(reset: string): number {
  const seconds = reset.trim() === '' ? Number.NaN : Number(reset);
  if (Number.isNaN(seconds)) return (Date.parse(reset) - Date.now()) / 1000;
  if (seconds < 1e9) return seconds;
  return seconds / (seconds > 1e11 ? 1000 : 1) - Date.now() / 1000;
}
