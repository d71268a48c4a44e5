import type { IncomingMessage } from 'node:http';
import { rejected, timedOut } from '../../platform/errors.ts';
import { exemptFromRequestTimeout } from '../../platform/http/body-time.ts';

/** How slow an upload may be (T-06). Milliseconds and bytes. */
export interface Pace {
  /** In each window at least so much must arrive. */
  windowMs: number;
  bytesPerWindow: number;
  /** The longest that an upload takes, unless its size needs longer at `bytesPerSecond`. */
  totalMs: number;
  bytesPerSecond: number;
}

/** 10 KiB a second at any time; ten minutes, or longer at 100 KiB a second. */
export const uploadPace: Pace = {
  windowMs: 10_000,
  bytesPerWindow: 10 * 10 * 1024,
  totalMs: 600_000,
  bytesPerSecond: 100 * 1024,
};

/**
 * Hands the body of a request to `write`, chunk by chunk and with the bytes so far; the next chunk waits until the last
 * is written, so memory does not grow with the body. Returns its size, once all of it is written. Throws what `write`
 * throws, 400 `incomplete_body`, or 408. The connection stays open in every case, for the answer.
 */
export function receiveBody(
  request: IncomingMessage,
  pace: Pace,
  write: (chunk: Buffer, received: number) => Promise<void>,
): Promise<number> {
  exemptFromRequestTimeout(request);
  const declared = Number(request.headers['content-length'] ?? 0);
  const longest = Math.max(pace.totalMs, (declared / pace.bytesPerSecond) * 1000);
  return new Promise((resolve, reject) => {
    let received = 0;
    let receivedBefore = 0;
    let writing = false;
    let hasEnded = false;
    const slow = () => finish(timedOut('The file arrived too slowly. Try again over a faster connection.'));
    const deadline = setTimeout(slow, longest);
    const window = setInterval(() => {
      // A slow disk is not the sender's fault.
      if (!writing && received - receivedBefore < pace.bytesPerWindow) slow();
      receivedBefore = received;
    }, pace.windowMs);

    function finish(error?: unknown): void {
      clearTimeout(deadline);
      clearInterval(window);
      request.off('data', take).off('end', end).off('close', broken).off('error', broken);
      // An error of the connection comes before its 'close'; without a listener it would end the process.
      request.on('error', () => {});
      request.pause();
      if (error === undefined) resolve(received);
      else reject(error);
    }

    function take(chunk: Buffer): void {
      received += chunk.length;
      request.pause();
      writing = true;
      write(chunk, received).then(() => {
        writing = false;
        if (hasEnded) finish();
        else request.resume();
      }, finish);
    }

    // A complete body's last chunk may still be on its way to the disk, and pausing does not stop that. It must be
    // written before the sync, and a failed write must be reported.
    function end(): void {
      if (!request.complete) {
        broken();
        return;
      }
      hasEnded = true;
      clearTimeout(deadline);
      if (!writing) finish();
    }

    function broken(): void {
      if (hasEnded) return;
      finish(rejected('incomplete_body', undefined, 'The upload was incomplete. Try again.'));
    }

    request.on('data', take).on('end', end).on('close', broken).on('error', broken);
    // A connection that broke before anyone listened emits nothing more.
    if (request.destroyed) broken();
  });
}
