import { EventEmitter } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { PassThrough } from 'node:stream';
import type { ClientRequest, ClientRequestConstructorOptions, Net } from 'electron';

/**
 * Chromium's network stack is not available here. Node sends the request; results are reported like Electron does,
 * which differs from Node in most details.
 */
export const net = {
  request: (options) => clientRequest(options as ClientRequestConstructorOptions),
} satisfies Pick<Net, 'request'>;

/** Ports that Chromium blocks (Fetch standard, "bad port"); some of the many. */
const refusedPorts = new Set(['22', '25', '6000', '6665', '6697', '10080']);

const ofChromium = /^(content-length|cookie2|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

const redirects = [301, 302, 303, 307, 308];

/** The part of Electron's request that the app uses. */
function clientRequest({ method, url: address, redirect }: ClientRequestConstructorOptions): ClientRequest {
  const url = new URL(address ?? '');
  if (!/^https?:$/.test(url.protocol))
    throw new Error('ClientRequest only supports http: and https: protocols');
  const events = new EventEmitter();
  const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, { method });
  let isAborted = false;
  let isDead = false;
  let isBegun = false;
  let isChunked = false;
  let answer: PassThrough | undefined;

  /** The end of a request: the response is destroyed with it, and only emits an error if there is one. */
  function die(error?: Error): void {
    if (isDead) return;
    isDead = true;
    outgoing.destroy();
    if (error) events.emit('error', error);
    answer?.destroy(error);
    events.emit('close');
  }

  outgoing.on('error', (error: NodeJS.ErrnoException) => die(new Error(`net::${chromiumName(error)}`)));
  outgoing.on('response', (incoming: IncomingMessage) => {
    if (isAborted) return;
    const status = incoming.statusCode ?? 0;
    if (redirects.includes(status) && incoming.headers.location !== undefined) {
      if (redirect === 'error') die(new Error("Attempted to redirect, but redirect policy was 'error'"));
      else throw new Error('The stand-in follows no redirects.');
      return;
    }
    const made = new PassThrough();
    answer = made;
    incoming.on('error', () => die(new Error('net::ERR_CONNECTION_RESET')));
    incoming.on('aborted', () => die(new Error('net::ERR_CONTENT_LENGTH_MISMATCH')));
    incoming.pipe(made);
    events.emit(
      'response',
      Object.assign(made, {
        statusCode: status,
        statusMessage: incoming.statusMessage,
        headers: incoming.headers,
      }),
    );
  });

  const made = {
    on: events.on.bind(events),
    once: events.once.bind(events),
    setHeader(name: string, value: string) {
      if (isBegun) throw new Error("Can't set headers after they are sent");
      // Chromium sets lengths, connections and encodings itself (docs, net, "Restrictions").
      if (ofChromium.test(name)) setImmediate(() => die(new Error('net::ERR_INVALID_ARGUMENT')));
      outgoing.setHeader(name, value);
    },
    get chunkedEncoding() {
      return isChunked;
    },
    set chunkedEncoding(value: boolean) {
      if (isBegun) throw new Error('chunkedEncoding can only be set before the request is started');
      isChunked = value;
    },
    write(chunk: string | Buffer, _encoding?: string, callback?: () => void) {
      isBegun = true;
      // After a request was aborted, write callbacks are no longer called.
      outgoing.write(chunk, () => isAborted || callback?.());
    },
    end(chunk?: string | Buffer) {
      if (refusedPorts.has(url.port)) {
        setImmediate(() => die(new Error('net::ERR_UNSAFE_PORT')));
        return;
      }
      // The first part starts a chunked request; one without parts ends in an uncatchable error.
      if (isChunked && !isBegun && chunk === undefined) {
        setImmediate(() => {
          throw new TypeError("Cannot read properties of undefined (reading 'done')");
        });
        return;
      }
      isBegun = true;
      outgoing.end(chunk);
    },
    abort() {
      if (!isAborted) process.nextTick(() => events.emit('abort'));
      isAborted = true;
      die();
    },
  };
  return made as unknown as ClientRequest;
}

function chromiumName({ code = '' }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'ERR_CONNECTION_REFUSED';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'ERR_NAME_NOT_RESOLVED';
  if (code === 'CERT_HAS_EXPIRED') return 'ERR_CERT_DATE_INVALID';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'ERR_CERT_COMMON_NAME_INVALID';
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) return 'ERR_CERT_AUTHORITY_INVALID';
  if (code.startsWith('HPE_')) return 'ERR_INVALID_HTTP_RESPONSE';
  return 'ERR_CONNECTION_RESET';
}
