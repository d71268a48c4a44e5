import {
  addWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  testWebhook,
  updateWebhook,
  type Webhook,
  type WebhookDelivery,
} from '../../contract/webhooks.ts';
import { scopeMissing } from '../../platform/errors.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { listPage, offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { eventsOf, missingForEvents } from './powers.ts';
import type { DeliveryRow, WebhookRow } from './queries.ts';
import { onlySwitchesOff, type WebhookService } from './service.ts';

/** The endpoints of webhooks (decision 0020). */
export function webhookRoutes({ webhooks }: { webhooks: WebhookService }): Route[] {
  return [
    route(listWebhooks, async ({ caller, query, editInfoOf }) => {
      const page = await webhooks.list(caller, listPage(caller, query));
      return pageReply('webhooks', page, query, (row) => ({
        ...present(row, caller.user.timezone),
        ...editInfoOf(row),
      }));
    }),
    route(getWebhook, ({ caller, id, editInfoOf }) => {
      const row = webhooks.get(id, caller);
      return { data: { ...present(row, caller.user.timezone), ...editInfoOf(row) } };
    }),
    route(addWebhook, ({ caller, body }) => {
      checkHears(caller, body.events);
      const { id, events, secret } = webhooks.add(caller, body);
      return { id, message: 'The webhook was created.', data: { id, url: body.url, events, secret } };
    }),
    route(
      updateWebhook,
      async ({ caller, id, body }) => {
        // Regardless of the URL and of who knows the secret, the events that it receives determine the scopes.
        if (!onlySwitchesOff(body)) checkHears(caller, body.events ?? eventsOf(webhooks.get(id, caller)));
        await webhooks.update(id, caller, body);
        return { message: 'The webhook was updated.' };
      },
      ({ caller, id, editInfoOf }) => {
        const row = webhooks.get(id, caller);
        return { ...present(row, caller.user.timezone), ...editInfoOf(row) };
      },
    ),
    route(deleteWebhook, async ({ caller, id }) => {
      await webhooks.remove(id, caller);
      return { message: 'The webhook was deleted.' };
    }),
    route(testWebhook, async ({ caller, id }) => {
      const outcome = await webhooks.test(id, caller);
      return {
        message: outcome.delivered ? 'Test delivered.' : 'Test failed.',
        data: outcome,
      };
    }),
    route(listDeliveries, async ({ caller, id, query }) => {
      const page = await webhooks.deliveries(id, caller, { limit: query.limit, offset: offsetOf(query) });
      return pageReply('deliveries', page, query, (row) => ({
        ...presentDelivery(row, caller.user.timezone),
        ...(missingForEvents(caller.key, [row.type]) !== undefined && { body: '' }),
      }));
    }),
    route(redeliver, ({ caller, ids }) => {
      const [id, deliveryId] = [ids.id, ids.deliveryid];
      const sent = webhooks.delivery(id, deliveryId, caller);
      // The address may be the key's own by now, and the message older than that.
      checkHears(caller, [sent.type]);
      webhooks.redeliver(id, sent, caller);
      return { message: 'The delivery will be retried.' };
    }),
  ];
}

/** Throws 403 for a key that could read data through messages without permission. */
function checkHears(caller: Caller, events: readonly string[]): void {
  const missing = missingForEvents(caller.key, events);
  if (missing !== undefined) throw scopeMissing(missing);
}

function present(row: WebhookRow, timezone: string): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: eventsOf(row),
    enabled: row.enabled === 1,
    stopped: row.stopped,
    failingsince: presentOptional(row.failing_since_at, timezone),
    date: presentTimestamp(row.created_at, timezone),
  };
}

function presentDelivery(row: DeliveryRow, timezone: string): WebhookDelivery {
  const { id, message, type, state, attempts, status, duration, body } = row;
  return {
    id,
    message,
    type,
    state,
    attempts,
    status,
    duration,
    nextattempt: presentOptional(row.next_at, timezone),
    body,
    date: presentTimestamp(row.created_at, timezone),
  };
}
