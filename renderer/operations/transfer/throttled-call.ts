import { type Call, callAt, type RateWait } from '../../api/client.ts';
import type { Destination } from '../../api/destination.ts';
import { ApiFailure } from '../../api/failure.ts';

/** Wait in seconds if a server limits the rate without stating how long. */
const unknownWait = 60;

export interface ThrottledCall {
  /**
   * Client for an account that waits for the rate limit as long as necessary. Throws AbortError after `stop` was
   * called.
   */
  at(to: Destination): Call;
  /** Ends all waits. A request in flight is completed, so that its outcome is known. */
  stop(): void;
}

/**
 * Calls that wait for rate limits: copying a thousand links regularly hits the limit of 30 requests per minute, which
 * is not a failure. `onPause` receives the end of the wait (milliseconds, like Date.now), and undefined when it is
 * over.
 */
export function throttledCall(onPause: (until: number | undefined) => void): ThrottledCall {
  const waits = new Map<RateWait, number>();
  let isStopped = false;

  function begin(wait: RateWait): () => void {
    waits.set(wait, Date.now() + wait.seconds * 1000);
    // Deferred, because the caller can only be cancelled after we return.
    if (isStopped) queueMicrotask(() => wait.cancel());
    tell();
    return () => {
      waits.delete(wait);
      tell();
    };
  }

  function tell(): void {
    onPause(waits.size === 0 ? undefined : Math.max(...waits.values()));
  }

  function pause(seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(), seconds * 1000);
      const over = begin({ seconds, cancel: () => end() });
      function end(): void {
        clearTimeout(timer);
        over();
        resolve();
      }
    });
  }

  return {
    at(to) {
      const ask = callAt(to, begin);
      return async (endpoint, ...rest) => {
        for (;;) {
          try {
            return await ask(endpoint, ...rest);
          } catch (error) {
            if (!(error instanceof ApiFailure) || error.kind !== 'limited') throw error;
            if (!isStopped) await pause(error.retryAfter ?? unknownWait);
            if (isStopped) throw new DOMException('The copy was stopped.', 'AbortError');
          }
        }
      };
    },
    stop() {
      isStopped = true;
      for (const wait of [...waits.keys()]) wait.cancel();
    },
  };
}
