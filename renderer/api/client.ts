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
  /** Values of the path parameters (`:name`). */
  readonly params?: PathParams<E['path']>;
  readonly query?: QueryInput<E>;
  readonly body?: BodyInput<E>;
  /** The record version that an update is based on; undefined if the server does not count versions. */
  readonly version?: number | undefined;
  readonly signal?: AbortSignal;
}

/** The options that an endpoint requires: path parameters, and a body with a required field. */
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

/** A delay requested by the server. */
export interface RateWait {
  readonly seconds: number;
  /** Ends the wait; the call then fails with kind `limited`. */
  cancel(): void;
}

export interface ClientOptions {
  readonly transport: Pick<Transport, 'request'>;
  readonly instanceId: () => string;
  /** The active team; undefined, as by default, for the user's personal account. */
  readonly account?: () => number | undefined;
  /** Called on a 429; the call is retried automatically. The returned function is called when the wait is over. */
  readonly onWait?: (wait: RateWait) => () => void;
  /** The key is missing, expired or revoked. */
  readonly onUnauthorized?: (instanceId: string) => void;
  /** The user is not, or no longer, a member of the team in the request. */
  readonly onAccountLost?: (instanceId: string, account: number) => void;
  /** Called after every request with whether the server responded, and an error code if not. */
  readonly onReached?: (instanceId: string, reached: boolean, code?: string) => void;
}

/** The longest that a call waits for the rate limit before failing, in seconds. */
const longestWaitSeconds = 90;

/**
 * Creates the function that all pages use to call the server. It only throws ApiFailure, or an AbortError when the
 * caller's `signal` aborts.
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
        // A 401 of a public endpoint refers to the input (a wrong password), not the key.
        if (reply.status === 401 && endpoint.access !== 'public') options.onUnauthorized?.(instanceId);
        if (account !== undefined && isAccountLost(reply)) options.onAccountLost?.(instanceId, account);
        // Only lists are bounded: the per-row results of a bulk action on 10,000 rows are counted, not rendered.
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

  /** Ends early when the user cancels (ApiFailure) or the caller aborts (AbortError). */
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

/** Excludes the 400 of requests whose own fields name an account. */
function isAccountLost({ status, body }: ApiReply): boolean {
  if (status !== 404) return false;
  return safeParse(failure, body).data?.code === 'account_not_found';
}

/** Parses a response according to the contract. Throws ApiFailure for everything except success. */
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
 * Creates a client for one account: a team, or by default the user's personal account. `onWait` is called when the rate
 * limit delays a call; see ClientOptions.
 */
export type CallAt = (to: Destination, onWait?: ClientOptions['onWait']) => Call;

/**
 * Called once at startup; tests install a client over their own transport. `at` creates clients for specific accounts.
 */
export function installClient(client: Call, at: CallAt = () => client): void {
  installed = client;
  installedAt = at;
}

/** Client for a specific account, regardless of which one is active. */
export const callAt: CallAt = (to, onWait) => {
  if (!installedAt) throw new Error('installClient comes before the first call.');
  return installedAt(to, onWait);
};

/** Calls the current instance as the active account: `await call(getLink, { params: { id } })`. Throws ApiFailure. */
export const call: Call = (endpoint, ...rest) => {
  if (!installed) throw new Error('installClient comes before the first call.');
  return installed(endpoint, ...rest);
};

/** An endpoint's path with its parameters (`:name`) filled in. */
export function filledPath(path: string, params: Readonly<Record<string, string | number>> = {}): string {
  return path.replace(/:([a-z]+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The path ${path} needs the parameter ${name}.`);
    return encodeURIComponent(String(value));
  });
}

/** `?name=value…`, or '' if there are no values. Lists are repeated parameters; empty items are included. */
export function queryString(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (Array.isArray(value)) for (const each of value) search.append(name, String(each));
    else if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text && `?${text}`;
}

/** Success is `error: 0`; other servers of the contract send "0", and the OpenAPI document has no `error` at all. */
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
 * Seconds to wait after a 429: Retry-After, else the time until X-RateLimit-Reset, whose format the contract leaves
 * open, else one second. Invalid headers are ignored.
 */
function waitSeconds(reply: ApiReply): number {
  const seconds = Number(reply.headers['retry-after']);
  if (Number.isFinite(seconds) && seconds > 0) return Math.ceil(seconds);
  const untilReset = secondsUntil(reply.headers['x-ratelimit-reset'] ?? '');
  return untilReset > 0 && untilReset <= longestWaitSeconds ? Math.ceil(untilReset) : 1;
}

/** Unix time in seconds or milliseconds, seconds from now, or a date. NaN for anything else. */
function secondsUntil(reset: string): number {
  const seconds = reset.trim() === '' ? Number.NaN : Number(reset);
  if (Number.isNaN(seconds)) return (Date.parse(reset) - Date.now()) / 1000;
  if (seconds < 1e9) return seconds;
  return seconds / (seconds > 1e11 ? 1000 : 1) - Date.now() / 1000;
}
