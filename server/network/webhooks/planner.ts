import { aliasPath } from '../../visits/redirects/short-url.ts';
import { messageBody, newMessageId } from './messages.ts';
import { eventsOf } from './powers.ts';
import type { EventRow, StopReason, WebhookQueries, WebhookRow } from './queries.ts';

/** More than so many that wait for one webhook are not added to: it has long stopped to listen. */
const mostWaiting = 10_000;

interface Options {
  queries: WebhookQueries;
  /** Switches a webhook off. */
  stop: (id: number, reason: StopReason) => void;
  /** Whether the key by which a webhook was made may still read what the webhook is told. */
  mayHear: (webhook: WebhookRow) => boolean;
  /** The public address of the instance, for the short links in messages. */
  baseUrl: () => string;
  now: () => number;
  randomBytes: (size: number) => Buffer;
}

interface Listener {
  id: number;
  hears: (type: string) => boolean;
  waiting: number;
}

/**
 * Returns `plan(events)`: makes a delivery of each event for each webhook that listens. Call it in the transaction that
 * drops the events.
 */
export function deliveryPlanner({ queries, mayHear, stop, baseUrl, now, randomBytes }: Options) {
  /** Ids of domains become hosts, and aliases addresses: what a reader elsewhere can use. */
  function withAddress({ domain, ...data }: Record<string, unknown>): Record<string, unknown> {
    if (typeof data.alias !== 'string') return data;
    const host = typeof domain === 'number' ? queries.hostOf(domain) : undefined;
    const base = host ? `https://${host}` : baseUrl();
    return { ...data, shorturl: `${base}/${aliasPath(data.alias)}` };
  }

  function listenersOf(userId: number): Listener[] {
    return queries.enabledOf(userId).flatMap((webhook) => {
      const { id } = webhook;
      if (!mayHear(webhook)) {
        stop(id, 'key');
        return [];
      }
      const wanted = new Set(eventsOf(webhook));
      const hears = (type: string) => wanted.has('*') || wanted.has(type);
      return [{ id, hears, waiting: queries.countWaiting(id) }];
    });
  }

  return (events: readonly EventRow[]): void => {
    const listeners = new Map<number, Listener[]>();
    for (const { user_id: userId, type, data } of events) {
      const known = listeners.get(userId) ?? listenersOf(userId);
      listeners.set(userId, known);
      const hearing = known.filter(({ hears, waiting }) => hears(type) && waiting < mostWaiting);
      if (hearing.length === 0) continue;
      const body = messageBody(type, now(), withAddress(JSON.parse(data) as Record<string, unknown>));
      for (const listener of hearing) {
        queries.insertDelivery(listener.id, newMessageId(randomBytes), type, body, now());
        listener.waiting += 1;
      }
    }
  };
}
