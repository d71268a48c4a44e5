import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** How long a client that is refused may go on sending before the connection is cut. */
const drainMs = 3_000;

/**
 * The text of an answer to a request whose body nobody reads any more. The text goes out at once; its stream ends when
 * the rest of the body has been dropped, or after a few seconds. A connection that is closed with unread bytes is
 * reset, and the client would see that in place of the reason.
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
