import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndedMembership } from '../events/ended-membership.ts';
import type { Caller } from './caller.ts';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export interface OngoingRequests {
  /** Remembers a caller's request until it is answered. */
  add(caller: Caller, exchange: Exchange): void;
  /** Ends what a key that was revoked still sends or receives. */
  cut(keyId: number): void;
  /** Ends what a person still sends to an account, or receives from it. */
  cutMember(ended: EndedMembership): void;
}

/**
 * Knows which requests each key has under way, so that a long upload or download ends with its key (T-10). There are
 * never more of them than connections, which are bounded.
 */
export function ongoingRequests(): OngoingRequests {
  const byKey = new Map<number, Set<Exchange>>();
  const byMember = new Map<string, Set<Exchange>>();
  const memberName = (accountId: number, personId: number) => `${accountId} ${personId}`;

  /** One whose body arrived and whose answer has not begun is asked again before it does anything (`http/serve.ts`). */
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
    // Afterwards: what ends by itself, such as a live stream, ends in order.
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
