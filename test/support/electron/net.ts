import { EventEmitter } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { ClientRequest, ClientRequestConstructorOptions, Net } from 'electron';

/** Chromium's own network stack is not to be had here; Node's answers to the same calls. */
export const net = {
  fetch: (input, init) => fetch(input, init),
  request: (options) => chunkedRequest(options as ClientRequestConstructorOptions),
} satisfies Pick<Net, 'fetch' | 'request'>;

/** A request whose body is sent as it is written. Of Electron's it has what the app uses. */
function chunkedRequest({ method, url }: ClientRequestConstructorOptions): ClientRequest {
  const events = new EventEmitter();
  const outgoing = httpRequest(url ?? '', { method });
  outgoing.on('error', (error) =>
    events.emit('error', new Error('net::ERR_CONNECTION_RESET', { cause: error })),
  );
  outgoing.on('response', (incoming) => events.emit('response', incoming));
  const made = {
    on: events.on.bind(events),
    setHeader: (name: string, value: string) => void outgoing.setHeader(name, value),
    write(chunk: string | Buffer, _encoding?: string, callback?: () => void) {
      if (!made.chunkedEncoding) throw new Error('this request would hold its whole body in memory');
      outgoing.write(chunk, () => callback?.());
    },
    end: () => void outgoing.end(),
    abort: () => void outgoing.destroy(),
    chunkedEncoding: false,
  };
  return made as unknown as ClientRequest;
}
