import { scopesOfEvents } from '../../contract/webhooks.ts';
import type { KeyRow } from '../../platform/http/caller.ts';
import { missingScopes, readScopes } from '../../platform/http/scopes.ts';
import { storedList } from '../../platform/text/stored-json.ts';
import type { WebhookRow } from './queries.ts';

/** The events of a webhook. */
export function eventsOf({ events }: Pick<WebhookRow, 'events'>): string[] {
  return storedList<string>(events, 'string');
}

/** A scope that a key lacks for a webhook's events, which contain their records; undefined if it has all. */
export function missingForEvents(
  { scopes }: Pick<KeyRow, 'scopes'>,
  events: readonly string[],
): string | undefined {
  return missingScopes(readScopes(scopes), scopesOfEvents(events))[0];
}

interface Options {
  /** An API key as currently stored; undefined if revoked. */
  findKey: (id: number) => KeyRow | undefined;
  now: () => number;
}

/**
 * Returns `mayHear(webhook)`: whether the key that created a webhook may still read the webhook's data. A webhook must
 * not outlive its key or the key's permissions; one created by a person has no such restriction.
 */
export function webhookPowers({ findKey, now }: Options): (webhook: WebhookRow) => boolean {
  return (webhook) => {
    if (webhook.key_id === null) return true;
    const key = findKey(webhook.key_id);
    if (!key || (key.expires_at !== null && key.expires_at <= now())) return false;
    return missingForEvents(key, eventsOf(webhook)) === undefined;
  };
}
