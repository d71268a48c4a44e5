import type { ClientRequest, IncomingMessage, Net } from 'electron';
import type { Fetcher } from './api-request.ts';
import type { StreamSender } from './uploads.ts';

/** Sends a stream by `fetch`, as Node has it: the length is told beforehand, and a part is taken when there is room. */
export function fetchSender(fetcher: Fetcher): StreamSender {
  return (address, init) =>
    fetcher(address, {
      ...init,
      method: 'POST',
      // A redirect would carry the file, and where it leads, out of our hands.
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      // A request whose body is a stream has to say that it answers after the body (Fetch standard).
      duplex: 'half',
    } as RequestInit);
}

/**
 * Sends a stream by Chromium's network stack. Its `fetch` would gather the whole body in memory first; a request with
 * a chunked body does not, and calls back when it has taken a part.
 */
export function chromiumSender(request: Net['request']): StreamSender {
  return (address, { headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const outgoing = request({
        method: 'POST',
        url: address,
        redirect: 'error',
        credentials: 'omit',
        cache: 'no-store',
      });
      const abort = () => {
        outgoing.abort();
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => resolve(responseOf(incoming)));
      outgoing.chunkedEncoding = true;
      for (const [name, value] of Object.entries(headers)) {
        // Chromium counts by itself, and takes no other length.
        if (name !== 'content-length') outgoing.setHeader(name, value);
      }
      // What goes wrong on the way is told by the request's own error.
      pour(body, outgoing).catch(() => {});
    });
}

async function pour(body: ReadableStream<Uint8Array>, outgoing: ClientRequest): Promise<void> {
  for await (const part of body) {
    await new Promise<void>((taken) => outgoing.write(Buffer.from(part), undefined, () => taken()));
  }
  outgoing.end();
}

function responseOf(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value].flat()) headers.append(name, one);
  }
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on('data', (chunk) => controller.enqueue(chunk));
      incoming.on('end', () => controller.close());
      incoming.on('error', () => controller.error(new TypeError('the answer broke off')));
    },
  });
  return new Response(body, { status: incoming.statusCode, headers });
}
