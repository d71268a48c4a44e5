import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** How long a rejected client may continue sending before the connection is closed. */
const drainMs = 3_000;

/**
 * The response to a request whose body is not read. It is sent immediately; its stream ends when the rest of the body
 * has been discarded, or after a few seconds. Closing a connection with unread bytes resets it, and the client would
 * see that instead of the response.
 */
export function drainThenClose(request: IncomingMessage, text: string): Readable {
  let timer: NodeJS.Timeout | undefined;
  const answer = new Readable({
    read() {
      if (timer) return;
      timer = setTimeout(end, drainMs);
      this.push(text);
      request.once('end', end).once('close', end).on('error', end);
      request.resume();
      if (request.complete || request.destroyed) end();
    },
    destroy(error, done) {
      clearTimeout(timer);
      done(error);
    },
  });

  function end(): void {
    clearTimeout(timer);
    if (!answer.readableEnded && !answer.destroyed) answer.push(null);
  }

  return answer;
}
