import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndedMembership } from '../events/ended-membership.ts';
import type { Caller } from './caller.ts';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export interface OngoingRequests {
  /** Tracks a caller's request until it is answered. */
  add(caller: Caller, exchange: Exchange): void;
  /** Ends the uploads and downloads of a revoked key. */
  cut(keyId: number): void;
  /** Ends a person's uploads and downloads in an account. */
  cutMember(ended: EndedMembership): void;
}

/**
 * Tracks the requests in progress of each key, so that a long upload or download ends when its key is revoked (T-10).
 * There are never more than connections, which are limited.
 */
export function ongoingRequests(): OngoingRequests {
  const byKey = new Map<number, Set<Exchange>>();
  const byMember = new Map<string, Set<Exchange>>();
  const memberName = (accountId: number, personId: number) => `${accountId} ${personId}`;

  /**
   * A request whose body has arrived and whose response has not begun is checked again before it does anything
   * (`http/serve.ts`).
   */
  function isTransfer({ request, response }: Exchange): boolean {
    return !request.complete || (response.headersSent && !response.writableEnded);
  }

  function remember<Name>(requests: Map<Name, Set<Exchange>>, name: Name, exchange: Exchange): void {
    const known = requests.get(name) ?? new Set();
    requests.set(name, known.add(exchange));
    exchange.response.once('close', () => {
      known.delete(exchange);
      if (known.size === 0 && requests.get(name) === known) requests.delete(name);
    });
  }

  function cutAll(exchanges: Set<Exchange> | undefined): void {
    // Afterwards: requests that end on their own, such as live streams, end cleanly.
    if (exchanges)
      setImmediate(() => {
        for (const exchange of exchanges) if (isTransfer(exchange)) exchange.request.destroy();
      });
  }

  return {
    add({ key, user, person }, exchange) {
      remember(byKey, key.id, exchange);
      if (user.id !== person.user.id) remember(byMember, memberName(user.id, person.user.id), exchange);
    },
    cut: (keyId) => cutAll(byKey.get(keyId)),
    cutMember: ({ accountId, personId }) => cutAll(byMember.get(memberName(accountId, personId))),
  };
}
