import { scopesOfEvents } from '../../contract/webhooks.ts';
import type { KeyRow } from '../../platform/http/caller.ts';
import { missingScopes, readScopes } from '../../platform/http/scopes.ts';
import type { WebhookRow } from './queries.ts';

/** What a webhook is told of. */
export function eventsOf({ events }: Pick<WebhookRow, 'events'>): string[] {
  // Written by this program, checked when it was written.
  return JSON.parse(events) as string[];
}

/** A scope that a key lacks to be told of events, which carry what they are about; undefined where it has them all. */
export function missingForEvents(
  { scopes }: Pick<KeyRow, 'scopes'>,
  events: readonly string[],
): string | undefined {
  return missingScopes(readScopes(scopes), scopesOfEvents(events))[0];
}

interface Options {
  /** An API key as it is now; undefined when it was revoked. */
  findKey: (id: number) => KeyRow | undefined;
  now: () => number;
}

/**
 * Returns `mayHear(webhook)`: whether the key by which a webhook was made may still read what the webhook is told. A
 * webhook must not outlive its key, nor what the key may do; one that a person made has no such bound.
 */
export function webhookPowers({ findKey, now }: Options): (webhook: WebhookRow) => boolean {
  return (webhook) => {
    if (webhook.key_id === null) return true;
    const key = findKey(webhook.key_id);
    if (!key || (key.expires_at !== null && key.expires_at <= now())) return false;
    return missingForEvents(key, eventsOf(webhook)) === undefined;
  };
}
