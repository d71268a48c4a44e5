import type { ApiReply, ApiRequest, Desktop, Unsubscribe } from '../../preload/contract.ts';
import type { Destination } from './destination.ts';
import { readEventStream } from './event-stream.ts';
import { ApiFailure } from './failure.ts';
import { randomId } from './random-id.ts';
import { sendFile } from './send-file.ts';
import { sendParts } from './send-parts.ts';
import type { SessionTokens } from './session-token.ts';

/** How the page reaches an instance. The page never holds more than a session token, in the desktop not even that. */
export interface Transport {
  readonly runtime: 'desktop' | 'browser';
  /** Throws ApiFailure of kind `unreachable` when there is no reply, an AbortError when `signal` aborts. */
  request(instanceId: string, request: ApiRequest, signal?: AbortSignal): Promise<ApiReply>;
  /**
   * The live stream of an account, a team's or the person's own, one parsed document a call. Reconnects by itself;
   * `onRefused` is told when the server does not take our key any more, or has no such account for us.
   */
  subscribe(
    instanceId: string,
    listener: (event: unknown) => void,
    account?: number,
    onRefused?: () => void,
  ): Unsubscribe;
  /** The address of a picture that the instance serves, for the `src` of an <img>. */
  resource(instanceId: string, path: string): string;
  /** Sends a file as the body of a POST and tells how far it is, from 0 to 1. Throws like `request`. */
  upload(
    to: Destination,
    path: string,
    file: Blob,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<ApiReply>;
}

/** Goes through the desktop's main process, which adds the key and knows every instance's origin. */
export function desktopTransport(desktop: Desktop): Transport {
  return {
    runtime: 'desktop',
    async request(instanceId, request, signal) {
      signal?.throwIfAborted();
      const requestId = randomId();
      const abort = () => desktop.cancel(requestId);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        // Only plain values cross the bridge, and a form's body may hold Vue's proxies.
        const plain = JSON.parse(JSON.stringify(request)) as ApiRequest;
        const reply = await desktop.request(instanceId, requestId, plain);
        signal?.throwIfAborted();
        if ('unreachable' in reply) {
          const code = reply.unreachable;
          if (code === 'locked' || code === 'foreign')
            throw new ApiFailure('locked', reply.message, { code: `key_store_${code}` });
          throw new ApiFailure('unreachable', reply.message, { code });
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

/** The first wait before the live stream is tried again, and the longest, in milliseconds. */
const backOff = { first: 1000, longest: 30_000 };

/**
 * Plain `fetch` to `origin` ('' is the page's own). The token travels in the Authorization header and never in a
 * cookie, so no other site can make this browser use it.
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
          // A server ends a stream when something about us has ended; one that ends them as they begin is not to be
          // hammered.
          isToAskAtOnce = performance.now() - openedAt > backOff.first;
        } else {
          // A refused stream (signed out, not offered) must not be hammered.
          wait = backOff.longest;
          const { status } = response;
          if (status === 401 || (status === 404 && from.account !== undefined)) onRefused?.();
        }
      } catch {
        // Lost or never there; the loop tries again, and the connection banner tells the person.
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
    // A proxy's HTML page, or nothing: `call` reports it as malformed.
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
