import type { Readable } from 'node:stream';
import type { ClientRequest, IncomingMessage, Net } from 'electron';
import type { Fetcher } from './fetcher.ts';
import type { StreamSender } from './uploads.ts';

/*
 * Requests through Chromium's network stack, which uses the system's proxies and trusted certificates. Electron's
 * `net.fetch` is not used: it buffers the request body in memory, and a response that is not HTTP causes an uncatchable
 * error.
 */

/** Statuses whose responses have no body (Fetch standard, "null body status"). */
const withoutBody = [101, 204, 205, 304];

/**
 * Like `fetch` for text bodies. Rejects with a TypeError whose cause is Chromium's error, or with the signal's reason.
 */
export function chromiumFetcher(request: Net['request']): Fetcher {
  return (address, init) =>
    exchange(request, address, init.method ?? 'GET', init.signal ?? undefined, (outgoing) => {
      setHeaders(outgoing, new Headers(init.headers));
      if (typeof init.body === 'string') outgoing.end(init.body);
      else outgoing.end();
    });
}

/** Sends a stream as a chunked body, one chunk at a time. Rejects like the fetcher. */
export function chromiumSender(request: Net['request']): StreamSender {
  return (address, { headers, body, signal }) =>
    exchange(request, address, 'POST', signal, (outgoing) => {
      const { 'content-length': length, ...others } = headers;
      setHeaders(outgoing, new Headers(others));
      // A chunked request is sent with its first chunk, so an empty one would never be sent.
      if (length === '0') {
        outgoing.end();
        return;
      }
      // Chromium adds the length itself and rejects an explicit one.
      outgoing.chunkedEncoding = true;
      // Errors are reported by the request itself.
      pour(body, outgoing, signal).catch(() => {});
    });
}

function exchange(
  request: Net['request'],
  address: string,
  method: string,
  signal: AbortSignal | undefined,
  send: (outgoing: ClientRequest) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const outgoing = request({
      ...{ method, url: address },
      // A redirect would forward the request to another address.
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
    });
    const abort = () => {
      outgoing.abort();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    const fail = (cause: unknown) => reject(new TypeError('there is no usable answer', { cause }));
    outgoing.on('error', fail);
    // Closed without a response or an error.
    outgoing.on('close', () => fail(new Error('the request ended')));
    outgoing.on('response', (incoming) => {
      try {
        resolve(responseOf(incoming, method, signal, () => outgoing.abort()));
      } catch (error) {
        // An invalid status or header.
        outgoing.abort();
        fail(error);
      }
    });
    send(outgoing);
  });
}

function setHeaders(outgoing: ClientRequest, headers: Headers): void {
  for (const [name, value] of headers) outgoing.setHeader(name, value);
}

async function pour(
  body: ReadableStream<Uint8Array>,
  outgoing: ClientRequest,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  // A closed request no longer acknowledges writes.
  const isOver = new Promise<'over'>((resolve) => {
    outgoing.on('close', () => resolve('over'));
    signal.addEventListener('abort', () => resolve('over'), { once: true });
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const taken = new Promise<'taken'>((resolve) =>
        outgoing.write(Buffer.from(value), undefined, () => resolve('taken')),
      );
      if ((await Promise.race([taken, isOver])) === 'over') return;
    }
    outgoing.end();
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function responseOf(
  incoming: IncomingMessage,
  method: string,
  signal: AbortSignal | undefined,
  giveUp: () => void,
): Response {
  const status = incoming.statusCode;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value].flat()) headers.append(name, one);
  }
  if (withoutBody.includes(status) || method === 'HEAD') return new Response(null, { status, headers });
  return new Response(bodyOf(incoming, signal, giveUp), { status, headers });
}

/**
 * Converts the body to a web stream with backpressure. Electron's responses are Node streams, though its types omit
 * that.
 */
function bodyOf(
  incoming: IncomingMessage,
  signal: AbortSignal | undefined,
  giveUp: () => void,
): ReadableStream<Uint8Array> {
  const stream = incoming as unknown as Readable;
  const chunks = stream[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      } catch (cause) {
        // An aborted response ends without its own error.
        controller.error(signal?.aborted ? signal.reason : new TypeError('the answer broke off', { cause }));
      }
    },
    // Cancelling only the stream would leave the connection open to a server that may send without end.
    cancel: giveUp,
  });
}
