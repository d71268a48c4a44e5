import type { Readable } from 'node:stream';
import type { ClientRequest, IncomingMessage, Net } from 'electron';
import type { Fetcher } from './fetcher.ts';
import type { StreamSender } from './uploads.ts';

/*
 * Requests by Chromium's network stack, which knows the system's proxies and the certificates that the system trusts.
 * Not by its `fetch`: that gathers a body in memory before it sends it, and an answer that is no HTTP makes it fail
 * where nobody can catch it.
 */

/** Statuses that come without a body (Fetch standard, "null body status"). */
const withoutBody = [101, 204, 205, 304];

/** Like `fetch` for text. Fails with a TypeError whose cause is what Chromium said, or with the signal's reason. */
export function chromiumFetcher(request: Net['request']): Fetcher {
  return (address, init) =>
    exchange(request, address, init.method ?? 'GET', init.signal ?? undefined, (outgoing) => {
      setHeaders(outgoing, new Headers(init.headers));
      if (typeof init.body === 'string') outgoing.end(init.body);
      else outgoing.end();
    });
}

/** Sends a stream as a chunked body, whose parts Chromium takes one after the other. Fails like the fetcher. */
export function chromiumSender(request: Net['request']): StreamSender {
  return (address, { headers, body, signal }) =>
    exchange(request, address, 'POST', signal, (outgoing) => {
      const { 'content-length': length, ...others } = headers;
      setHeaders(outgoing, new Headers(others));
      // A chunked request begins with its first part, and without any it never does.
      if (length === '0') {
        outgoing.end();
        return;
      }
      // Chromium counts by itself, and takes no other length.
      outgoing.chunkedEncoding = true;
      // What goes wrong on the way is told by the request's own error.
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
      // A redirect would carry the request, and where it leads, out of our hands.
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
    // An end without an answer or an error before it.
    outgoing.on('close', () => fail(new Error('the request ended')));
    outgoing.on('response', (incoming) => {
      try {
        resolve(responseOf(incoming, method, signal, () => outgoing.abort()));
      } catch (error) {
        // A status that no response can have, or a header that is none.
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
  // After its end a request says no more that it took a part.
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

/** Electron's answers are streams of Node, which its declarations leave out: what is not read waits. */
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
        // An answer that was given up ends without an error of its own.
        controller.error(signal?.aborted ? signal.reason : new TypeError('the answer broke off', { cause }));
      }
    },
    // The end of the stream alone would leave the request to the server, which may send without end.
    cancel: giveUp,
  });
}
