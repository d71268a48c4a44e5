import { z } from 'zod';
import { editInfo, memberFilter } from './edit-info.ts';
import { endpoint, type ScopeResource } from './endpoint.ts';
import { acknowledged, listOf, paging, timestamp } from './envelope.ts';
import { hasLongHost } from './long-host.ts';
import { edited } from './versions.ts';

/** Webhook events (decision 0020; the contract defines none). */
export const webhookEvents = [
  'link.created',
  'link.updated',
  'link.deleted',
  'link.restored',
  'link.clicked',
  'campaign.created',
  'campaign.updated',
  'campaign.deleted',
  'channel.created',
  'channel.updated',
  'channel.deleted',
  'file.created',
  'file.downloaded',
  'file.deleted',
  'domain.created',
  'domain.updated',
  'domain.deleted',
  'bio.message',
  'overlay.answer',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

const resourceOf: Record<string, readonly ScopeResource[]> = {
  link: ['links'],
  campaign: ['campaigns'],
  channel: ['channels'],
  file: ['files'],
  domain: ['domains'],
  bio: ['bio'],
  overlay: ['overlays'],
};

/** The scopes that a key needs for these events, whose payloads contain data of those resources. */
export function scopesOfEvents(events: readonly string[]): string[] {
  const types = events.includes('*') ? webhookEvents : events;
  const resources = types.flatMap((type) => [
    ...(resourceOf[type.split('.')[0] ?? ''] ?? []),
    ...(type === 'link.clicked' ? (['stats'] as const) : []),
  ]);
  return [...new Set(resources)].map((resource) => `${resource}:read`);
}

const url = z
  .string()
  .trim()
  .max(2_048, 'Use a URL of at most 2,048 characters.')
  // The contract may not use `URL`, which belongs to Node and browsers. Text before an `@` would be a user name.
  .refine(
    (text) =>
      !hasLongHost(text) &&
      /^https?:\/\/[^\s\\/?#@]+([/?#][^\s\\]*)?$/i.test(text) &&
      z.url().safeParse(text).success,
    'Enter an http or https URL without a username and password.',
  )
  .meta({ pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\\\/?#@]+([/?#][^\\s\\\\]*)?\\s*$' });

/** One or more events, or `*` for all. */
const events = z
  .array(z.enum([...webhookEvents, '*'], { error: 'Choose webhook events, or * for all.' }))
  .min(1, 'Choose at least one event.')
  .max(webhookEvents.length + 1);

/** Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. Other strings are used as they are. */
const secret = z
  .string()
  .min(16, 'Use at least 16 characters for the secret.')
  .max(128, 'Use at most 128 characters for the secret.')
  .regex(/^[\x21-\x7e]+$/, 'Use printable characters without spaces for the secret.')
  .refine(
    (text) => !text.startsWith('whsec_') || /^[A-Za-z0-9+/]{32,86}={0,2}$/.test(text.slice(6)),
    'Use 24 to 64 bytes in base64 after whsec_.',
  );

/** A webhook in lists. Its secret is only returned on creation. */
export const webhook = z.object({
  id: z.number().int(),
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  /**
   * Why it was disabled automatically: the endpoint returned "gone", deliveries failed for days, the secret cannot be
   * decrypted, or the key that created it was revoked or lost access.
   */
  stopped: z.enum(['gone', 'failing', 'locked', 'key']).nullable(),
  /** Since when deliveries have been failing; null if they succeed. */
  failingsince: timestamp.nullable(),
  date: timestamp,
  ...editInfo,
});
export type Webhook = z.output<typeof webhook>;

/** A message sent to a webhook, with its delivery status. */
export const webhookDelivery = z.object({
  id: z.number().int(),
  /** The `webhook-id` header: the same for all attempts. */
  message: z.string(),
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number().int(),
  /** HTTP status of the last attempt; null if there was no response. */
  status: z.number().int().nullable(),
  /** Duration of the last attempt in milliseconds. */
  duration: z.number().int().nullable(),
  nextattempt: timestamp.nullable(),
  /** Empty for a key without access to the subject. */
  body: z.string(),
  date: timestamp,
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhooks',
  summary: 'List webhooks, newest first.',
  scope: 'webhooks',
  query: z.object({ ...paging, ...memberFilter }),
  reply: listOf('webhooks', webhook),
});

export const getWebhook = endpoint({
  method: 'GET',
  path: '/api/webhook/:id',
  summary: 'Get a webhook.',
  scope: 'webhooks',
  reply: z.object({ data: webhook }),
});

export const addWebhook = endpoint({
  method: 'POST',
  path: '/api/webhook/add',
  summary: 'Create a webhook; a secret is generated if none is sent, and returned only once.',
  scope: 'webhooks',
  body: z.object({ url, events, secret: secret.optional() }),
  reply: z.object({
    id: z.number().int(),
    message: z.string(),
    data: z.object({
      id: z.number().int(),
      url: z.string(),
      events: z.array(z.string()),
      secret: z.string(),
    }),
  }),
});

export const updateWebhook = endpoint({
  method: 'PUT',
  path: '/api/webhook/:id/update',
  summary: 'Update a webhook; omitted fields are unchanged.',
  scope: 'webhooks',
  body: z.object({ url, events, secret, enabled: z.boolean() }).partial(),
  reply: edited,
});

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhook/:id/delete',
  summary: 'Delete a webhook and its delivery log.',
  scope: 'webhooks',
  reply: acknowledged,
});

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/webhook/:id/test',
  summary: 'Send a message of type `test` now and tell how it went.',
  scope: 'webhooks',
  bodyOptional: true,
  reply: z.object({
    message: z.string(),
    data: z.object({
      delivered: z.boolean(),
      status: z.number().int().nullable(),
      /** Milliseconds. */
      duration: z.number().int(),
    }),
  }),
});

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/webhook/:id/deliveries',
  summary: "List a webhook's deliveries of the last 30 days, newest first.",
  scope: 'webhooks',
  query: z.object(paging),
  reply: listOf('deliveries', webhookDelivery),
});

export const redeliver = endpoint({
  method: 'POST',
  path: '/api/webhook/:id/redeliver/:deliveryid',
  summary: 'Retry a delivery.',
  scope: 'webhooks',
  bodyOptional: true,
  reply: acknowledged,
});
