import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import type { Fetcher } from './fetcher.ts';
import { fingerprintOf } from './presented-certificate.ts';

/** The server does not present the accepted certificate. Nothing was sent. */
export class CertificateChanged extends Error {}

/** Error codes by which OpenSSL and Node report an invalid certificate. */
export const certificateErrors =
  /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_(CA|PURPOSE)|PATH_LENGTH_|HOSTNAME_MISMATCH|ERROR_IN_CERT_)/;

const redirects = [301, 302, 303, 307, 308];
const withoutBody = [204, 205, 304];

/**
 * Creates a fetcher that trusts a single certificate: a root, or the server's own, that the user compared and accepted
 * (T-05). The request and its key are sent only after the TLS handshake has verified the server. Rejects with
 * CertificateChanged, otherwise like `fetch`.
 */
export function pinnedFetch(pem: string): Fetcher {
  return async (address, init = {}) => {
    const url = new URL(address);
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    const socket = await verified(url, pem, signal);
    return exchange(url, socket, init);
  };
}

async function verified(url: URL, pem: string, signal: AbortSignal | undefined): Promise<TLSSocket> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const accepted = fingerprintOf(pem);
  const socket = connect({
    host,
    port: Number(url.port || 443),
    servername: isIP(host) === 0 ? host : '',
    minVersion: 'TLSv1.2',
    ca: [pem],
    // The accepted certificate may be the server's own, from an unknown issuer.
    allowPartialTrustChain: true,
    // The accepted server certificate is valid for its address even if its names do not match.
    checkServerIdentity: (_name, certificate) =>
      certificate.fingerprint256 === accepted ? undefined : checkServerIdentity(host, certificate),
  });
  try {
    await once(socket, 'secureConnect', signal && { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    if (signal?.aborted) throw error;
    const code = String((error as NodeJS.ErrnoException).code);
    if (certificateErrors.test(code)) throw new CertificateChanged(code, { cause: error });
    throw new TypeError('there is no encrypted connection', { cause: error });
  }
}

function exchange(url: URL, socket: TLSSocket, init: RequestInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => {
      socket.destroy();
      reject(init.signal?.aborted ? init.signal.reason : new TypeError('there is no answer', { cause }));
    };
    const outgoing = request({
      createConnection: () => socket,
      method: init.method ?? 'GET',
      path: url.pathname + url.search,
      headers: { ...Object.fromEntries(new Headers(init.headers)), host: url.host, connection: 'close' },
      ...(init.signal && { signal: init.signal }),
    });
    outgoing.on('error', fail);
    outgoing.on('response', (incoming) => {
      try {
        resolve(responseOf(incoming));
      } catch (error) {
        fail(error);
      }
    });
    // An unsolicited protocol upgrade.
    outgoing.on('upgrade', () => fail(new Error('an upgrade')));
    if (init.body instanceof ReadableStream) {
      Readable.fromWeb(init.body as Parameters<typeof Readable.fromWeb>[0])
        .on('error', fail)
        .pipe(outgoing);
    } else {
      outgoing.end(init.body ?? undefined);
    }
  });
}

/** Converts the response. Throws for redirects, which would forward the request, and for invalid statuses. */
function responseOf(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 0;
  if (redirects.includes(status)) throw new Error('a redirect');
  const headers = new Headers();
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '');
  }
  if (withoutBody.includes(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  return new Response(bodyOf(incoming), { status, headers });
}

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(new TypeError('the answer broke off', { cause }));
      }
    },
    cancel: () => void incoming.destroy(),
  });
}
