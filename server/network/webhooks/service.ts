import { type WebhookEvent, webhookEvents } from '../../contract/webhooks.ts';
import { purposes } from '../../identity/keys/purposes.ts';
import { checkCeiling } from '../../identity/plans/ceilings.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound, rejected } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account, Caller } from '../../platform/http/caller.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import type { Vault } from '../../platform/vault.ts';
import type { Outcome, WebhookDelivery } from './delivery.ts';
import type { DeliveryRow, WebhookLists, WebhookQueries, WebhookRow } from './queries.ts';
import { newSecret } from './signature.ts';

interface Options {
  queries: WebhookQueries;
  lists: WebhookLists;
  delivery: WebhookDelivery;
  vault: Vault;
  now: () => number;
  randomBytes: (size: number) => Buffer;
  transactions: Transactions;
  /** Call it when there is a log to delete, or deliveries to cancel. */
  wakeClearing: () => Promise<void>;
  changes: Pick<Changes, 'publish'>;
}

interface WebhookInput {
  url?: string | undefined;
  events?: readonly (WebhookEvent | '*')[] | undefined;
  secret?: string | undefined;
  enabled?: boolean | undefined;
}

/** Webhooks of an account (decision 0020). */
export function webhookService(options: Options) {
  const { queries, delivery, vault, now, randomBytes, transactions, wakeClearing, changes } = options;

  function get(id: number, { user }: Account): WebhookRow {
    const row = queries.find(id, user.id);
    if (!row) throw notFound('Webhook');
    return row;
  }

  return {
    get,

    list: ({ user }: Account, page: ListPage): Promise<Page<WebhookRow>> => options.lists.list(user.id, page),

    /** Returns the id and the secret, which cannot be read again. Throws 400 `too_many`. */
    add(
      { user, key }: Caller,
      { url, events, secret = newSecret(randomBytes) }: WebhookInput & { url: string },
    ) {
      checkCeiling('webhooks', queries.count(user.id));
      const chosen = readEvents(events ?? ['*']);
      const sealed = vault.seal(secret, purposes.webhookSecret(user.id));
      const id = queries.insert({
        user_id: user.id,
        url,
        events: JSON.stringify(chosen),
        secret: sealed,
        created_at: now(),
        key_id: bindingKey(key),
      });
      changes.publish({ accountId: user.id, resource: 'webhooks', ids: [id] });
      return { id, events: chosen, secret };
    },

    /**
     * Enabling it again also resets failures. Whoever makes any change other than disabling becomes responsible for
     * it: a person takes over a key's webhook, and a key a person's.
     */
    async update(id: number, account: Caller, change: WebhookInput): Promise<void> {
      transactions.atomically(() => {
        const row = get(id, account);
        const enabled = change.enabled ?? row.enabled === 1;
        queries.update({
          id,
          url: change.url ?? row.url,
          events: change.events ? JSON.stringify(readEvents(change.events)) : row.events,
          secret: change.secret
            ? vault.seal(change.secret, purposes.webhookSecret(account.user.id))
            : row.secret,
          enabled: enabled ? 1 : 0,
          key_id: onlySwitchesOff(change) ? row.key_id : bindingKey(account.key),
        });
      });
      changes.publish({ accountId: account.user.id, resource: 'webhooks', ids: [id] });
      await wakeClearing();
    },

    async remove(id: number, account: Account): Promise<void> {
      get(id, account);
      queries.markRemoved(id, now());
      changes.publish({ accountId: account.user.id, resource: 'webhooks', ids: [id] });
      await wakeClearing();
    },

    /** Sends a `test` message immediately, whatever the webhook's events. */
    test: (id: number, account: Account): Promise<Outcome> => delivery.test(get(id, account)),

    deliveries: async (
      id: number,
      account: Account,
      page: { limit: number; offset: number },
    ): Promise<Page<DeliveryRow>> => options.lists.deliveries(get(id, account).id, page),

    /** Throws 404. */
    delivery(id: number, deliveryId: number, account: Account): DeliveryRow {
      const sent = queries.findDelivery(deliveryId, get(id, account).id);
      if (!sent) throw notFound('Delivery');
      return sent;
    },

    /** Sends a message again, with the same id, so that receivers can detect it. Throws 400. */
    redeliver(id: number, sent: DeliveryRow, account: Account): void {
      const row = get(id, account);
      if (row.enabled === 0) throw rejected('webhook_off', undefined, 'Enable the webhook first.');
      queries.insertDelivery(id, sent.message, sent.type, sent.body, now());
      delivery.wake();
    },
  };
}

export type WebhookService = ReturnType<typeof webhookService>;

/** Whether a change adds no events. */
export function onlySwitchesOff({ enabled, ...others }: WebhookInput): boolean {
  return !enabled && Object.keys(others).length === 0;
}

/** The key that a webhook ends with; null for a person, whose sessions come and go. */
function bindingKey({ id, kind }: Caller['key']): number | null {
  return kind === 'session' ? null : id;
}

/** In the order of the contract, each once; `*` on its own. */
function readEvents(events: readonly (WebhookEvent | '*')[]): string[] {
  if (events.includes('*')) return ['*'];
  return webhookEvents.filter((event) => events.includes(event));
}
