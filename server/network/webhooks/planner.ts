import { aliasPath } from '../../visits/redirects/short-url.ts';
import { messageBody, newMessageId } from './messages.ts';
import { eventsOf } from './powers.ts';
import type { EventRow, StopReason, WebhookQueries, WebhookRow } from './queries.ts';

/** More than so many that wait for one webhook, or so many bytes, are not added to: it has long stopped to listen. */
const mostWaiting = 10_000;
const mostWaitingBytes = 5_000_000;
/** Where all messages of a webhook have more bytes, the oldest that are over go before their time. */
const mostBytes = 10_000_000;
/** So many go for each that comes: more than come. */
const removedEach = 4;

interface Options {
  queries: WebhookQueries;
  /** Switches a webhook off. */
  stop: (id: number, reason: StopReason) => void;
  /** Whether the key that created a webhook may still read the webhook's data. */
  mayHear: (webhook: WebhookRow) => boolean;
  /** The public address of the instance, for the short links in messages. */
  baseUrl: () => string;
  now: () => number;
  randomBytes: (size: number) => Buffer;
}

/**
 * Returns `plan(event)`: makes a delivery of it for each webhook that listens, and returns these webhooks. Call it in
 * the transaction that drops the event.
 */
export function deliveryPlanner({ queries, mayHear, stop, baseUrl, now, randomBytes }: Options) {
  /** Ids of domains become hosts, and aliases addresses: what a reader elsewhere can use. */
  function withAddress({ domain, ...data }: Record<string, unknown>): Record<string, unknown> {
    if (typeof data.alias !== 'string') return data;
    const host = typeof domain === 'number' ? queries.hostOf(domain) : undefined;
    const base = host ? `https://${host}` : baseUrl();
    return { ...data, shorturl: `${base}/${aliasPath(data.alias)}` };
  }

  function listenersOf({ user_id: userId, type }: EventRow): WebhookRow[] {
    return queries.enabledOf(userId).filter((webhook) => {
      if (!mayHear(webhook)) {
        stop(webhook.id, 'key');
        return false;
      }
      const wanted = eventsOf(webhook);
      return wanted.includes('*') || wanted.includes(type);
    });
  }

  function hasRoom({ id }: WebhookRow): boolean {
    const { waiting, waitingBytes, bytes } = queries.countsOf(id);
    if (bytes > mostBytes) queries.removeOldest(id, removedEach);
    return waiting < mostWaiting && waitingBytes < mostWaitingBytes;
  }

  return (event: EventRow): WebhookRow[] => {
    const listeners = listenersOf(event).filter(hasRoom);
    if (listeners.length === 0) return [];
    const { type, data } = event;
    const body = messageBody(type, now(), withAddress(JSON.parse(data) as Record<string, unknown>));
    for (const { id } of listeners) {
      queries.insertDelivery(id, newMessageId(randomBytes), type, body, now());
    }
    return listeners;
  };
}
