import { type Call, callAt, type RateWait } from '../../api/client.ts';
import type { Destination } from '../../api/destination.ts';
import { ApiFailure } from '../../api/failure.ts';

/** Waited where a server says that it is too much and not for how long. Seconds. */
const unknownWait = 60;

export interface ThrottledCall {
  /** Calls an account and waits for the rate limit as long as it takes. Throws AbortError once `stop` was called. */
  at(to: Destination): Call;
  /** Ends all waiting. A request that is under way is let finish, so that its outcome is known. */
  stop(): void;
}

/**
 * A copy of a thousand links meets the rate limit of 30 requests a minute again and again: that is no failure.
 * `onPause` is told until when (milliseconds, as Date.now) it waits, and undefined when it goes on.
 */
export function throttledCall(onPause: (until: number | undefined) => void): ThrottledCall {
  const waits = new Map<RateWait, number>();
  let isStopped = false;

  function begin(wait: RateWait): () => void {
    waits.set(wait, Date.now() + wait.seconds * 1000);
    // Not at once: the caller is not ready to be cancelled before we return.
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
