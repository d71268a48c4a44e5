import type { ApiReply, ApiRequest, Desktop, Unsubscribe } from '../../preload/contract.ts';
import type { Destination } from './destination.ts';
import { readEventStream } from './event-stream.ts';
import { ApiFailure } from './failure.ts';
import { randomId } from './random-id.ts';
import { sendFile } from './send-file.ts';
import { sendParts } from './send-parts.ts';
import type { SessionTokens } from './session-token.ts';

/**
 * How the page communicates with an instance. The page only ever holds a session token; in the desktop app not even
 * that.
 */
export interface Transport {
  readonly runtime: 'desktop' | 'browser';
  /**
   * Sends a request. Throws ApiFailure of kind `unreachable` if there is no response, or an AbortError when `signal`
   * aborts.
   */
  request(instanceId: string, request: ApiRequest, signal?: AbortSignal): Promise<ApiReply>;
  /**
   * Subscribes to the live stream of a team, or the personal account; `listener` receives the parsed events. Reconnects
   * automatically; `onRefused` is called if the server rejects the key or the account.
   */
  subscribe(
    instanceId: string,
    listener: (event: unknown) => void,
    account?: number,
    onRefused?: () => void,
  ): Unsubscribe;
  /** URL of a picture served by the instance, for an <img>. */
  resource(instanceId: string, path: string): string;
  /** Uploads a file as the body of a POST, reporting progress from 0 to 1. Throws like `request`. */
  upload(
    to: Destination,
    path: string,
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<ApiReply>;
}

/** Transport through the desktop app's main process, which adds the key and knows every instance's origin. */
export function desktopTransport(desktop: Desktop): Transport {
  return {
    runtime: 'desktop',
    async request(instanceId, request, signal) {
      signal?.throwIfAborted();
      const requestId = randomId();
      const abort = () => desktop.cancel(requestId);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        // Only plain values can cross the context bridge, and request bodies may contain Vue proxies.
        const plain = JSON.parse(JSON.stringify(request)) as ApiRequest;
        const reply = await desktop.request(instanceId, requestId, plain);
        signal?.throwIfAborted();
        if ('unreachable' in reply) {
          const code = reply.unreachable;
          if (code === 'locked' || code === 'foreign')
            throw new ApiFailure('locked', reply.message, { code: `key_store_${code}` });
          // Servers say `changed` of records.
          throw new ApiFailure('unreachable', reply.message, {
            code: code === 'changed' ? 'certificate_changed' : code,
          });
        }
        return reply;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    subscribe: (instanceId, listener, account, onRefused) =>
      desktop.subscribe(instanceId, listener, account, onRefused),
    upload: (to, path, file, onProgress, signal) =>
      sendParts({ uploads: desktop.uploads, to, path, file, onProgress, signal }),
    resource: (instanceId, path) => `/instance/${encodeURIComponent(instanceId)}${path}`,
  };
}

const passedHeaders = /^(content-type|retry-after|x-ratelimit-.+)$/;

/** Reconnection backoff of the live stream, in milliseconds. */
const backOff = { first: 1000, longest: 30_000 };

/**
 * Transport by `fetch` to `origin` ('' is the page's own). The token is sent in the Authorization header, never in a
 * cookie, which prevents cross-site request forgery.
 */
export function browserTransport(fetcher: typeof fetch, tokens: SessionTokens, origin = ''): Transport {
  function authorization(instanceId: string, account: number | undefined): Record<string, string> {
    const token = tokens.read(instanceId);
    if (!token) return {};
    return {
      authorization: `Bearer ${token}`,
      ...(account !== undefined && { 'x-waypost-account': String(account) }),
    };
  }

  return {
    runtime: 'browser',
    async request(instanceId, request, signal) {
      const hasBody = request.body !== undefined;
      let response: Response;
      let text: string;
      try {
        response = await fetcher(origin + request.path, {
          method: request.method,
          headers: {
            ...authorization(instanceId, request.account),
            ...(hasBody && { 'content-type': 'application/json' }),
          },
          credentials: 'omit',
          cache: 'no-store',
          ...(hasBody && { body: JSON.stringify(request.body) }),
          ...(signal && { signal }),
        });
        text = await response.text();
      } catch (cause) {
        if (signal?.aborted) throw new DOMException('Cancelled.', 'AbortError');
        throw Object.assign(
          new ApiFailure('unreachable', 'The server is not responding.', { code: 'offline' }),
          {
            cause,
          },
        );
      }
      const headers: Record<string, string> = {};
      for (const [name, value] of response.headers) if (passedHeaders.test(name)) headers[name] = value;
      return { status: response.status, headers, body: parsedOrNull(text) };
    },

    subscribe(instanceId, listener, account, onRefused) {
      const stop = new AbortController();
      void follow({ instanceId, account }, listener, stop.signal, onRefused);
      return () => stop.abort();
    },

    resource: (_instanceId, path) => origin + path,

    upload: ({ instanceId, account }, path, file, onProgress, signal) =>
      sendFile({
        address: origin + path,
        headers: authorization(instanceId, account),
        file,
        onProgress,
        signal,
      }),
  };

  async function follow(
    from: Destination,
    listener: (event: unknown) => void,
    signal: AbortSignal,
    onRefused?: () => void,
  ) {
    let wait = backOff.first;
    while (!signal.aborted) {
      let isToAskAtOnce = false;
      try {
        const response = await fetcher(`${origin}/api/events`, {
          headers: { ...authorization(from.instanceId, from.account), accept: 'text/event-stream' },
          credentials: 'omit',
          cache: 'no-store',
          signal,
        });
        if (response.ok && response.body) {
          wait = backOff.first;
          const openedAt = performance.now();
          for await (const document of readEventStream(response.body)) listener(document);
          // The server ends a stream when the session or membership changes, so reconnect immediately, unless streams
          // end as soon as they start.
          isToAskAtOnce = performance.now() - openedAt > backOff.first;
        } else {
          // A rejected stream (signed out, not supported) must not be retried in a tight loop.
          wait = backOff.longest;
          const { status } = response;
          if (status === 401 || (status === 404 && from.account !== undefined)) onRefused?.();
        }
      } catch {
        // Connection failed or lost; the loop retries, and the connection banner informs the user.
      }
      if (isToAskAtOnce) continue;
      await pause(wait, signal);
      wait = Math.min(wait * 2, backOff.longest);
    }
  }
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's HTML page, or an empty body: reported as malformed by `call`.
    return null;
  }
}

/** Resolves after `milliseconds`, or as soon as `signal` aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
