import type { IncomingMessage, ServerResponse } from 'node:http';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export interface OngoingRequests {
  /** Remembers a request with a key until it is answered. */
  add(keyId: number, exchange: Exchange): void;
  /** Ends what a key that was revoked still sends or receives. */
  cut(keyId: number): void;
}

/**
 * Knows which requests each key has under way, so that a long upload or download ends with its key (T-10). There are never
 * more of them than connections, which are bounded.
 */
export function ongoingRequests(): OngoingRequests {
  const byKey = new Map<number, Set<Exchange>>();

  /** One whose body arrived and whose answer has not begun is asked again before it does anything (`http/serve.ts`). */
  function isTransfer({ request, response }: Exchange): boolean {
    return !request.complete || (response.headersSent && !response.writableEnded);
  }

  return {
    add(keyId, exchange) {
      const ofKey = byKey.get(keyId) ?? new Set();
      byKey.set(keyId, ofKey.add(exchange));
      exchange.response.once('close', () => {
        ofKey.delete(exchange);
        if (ofKey.size === 0 && byKey.get(keyId) === ofKey) byKey.delete(keyId);
      });
    },
    cut(keyId) {
      const ofKey = byKey.get(keyId);
      // Afterwards: what ends by itself, such as a live stream, ends in order.
      if (ofKey)
        setImmediate(() => {
          for (const exchange of ofKey) if (isTransfer(exchange)) exchange.request.destroy();
        });
    },
  };
}
