import { z } from 'zod';
import { endpoint, type ScopeResource } from './endpoint.ts';
import { acknowledged, listOf, paging, timestamp } from './envelope.ts';
import { hasLongHost } from './long-host.ts';
import { marks, memberFilter } from './marks.ts';
import { edited } from './versions.ts';

/** What a webhook can be told of (decision 0020; the contract shows no events). */
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

/** The scopes that a key needs for messages of these events: they carry what it could otherwise not read. */
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
  // The contract knows neither Node nor a page, so no `URL` of its own; in front of an `@` would be a user name.
  .refine(
    (text) =>
      !hasLongHost(text) &&
      /^https?:\/\/[^\s\\/?#@]+([/?#][^\s\\]*)?$/i.test(text) &&
      z.url().safeParse(text).success,
    'Enter an http or https URL without a username and password.',
  )
  .meta({ pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\\\/?#@]+([/?#][^\\s\\\\]*)?\\s*$' });

/** One or more events, or `*` for all of them. */
const events = z
  .array(z.enum([...webhookEvents, '*'], { error: 'Choose webhook events, or * for all.' }))
  .min(1, 'Choose at least one event.')
  .max(webhookEvents.length + 1);

/** Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. Other texts are taken as they are. */
const secret = z
  .string()
  .min(16, 'Use at least 16 characters for the secret.')
  .max(128, 'Use at most 128 characters for the secret.')
  .regex(/^[\x21-\x7e]+$/, 'Use printable characters without spaces for the secret.')
  .refine(
    (text) => !text.startsWith('whsec_') || /^[A-Za-z0-9+/]{32,86}={0,2}$/.test(text.slice(6)),
    'Use 24 to 64 bytes in base64 after whsec_.',
  );

/** A webhook as lists show it. Its secret is shown once, when it is made. */
export const webhook = z.object({
  id: z.number().int(),
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  /**
   * Why it was switched off, where nobody did it: the address said that it is gone, nothing arrived for days, the
   * secret cannot be opened, or the key that it was made by has ended or may not read all of it any more.
   */
  stopped: z.enum(['gone', 'failing', 'locked', 'key']).nullable(),
  /** Since when nothing arrives; null while deliveries arrive. */
  failingsince: timestamp.nullable(),
  date: timestamp,
  ...marks,
});
export type Webhook = z.output<typeof webhook>;

/** One message to one webhook, with what became of it. */
export const webhookDelivery = z.object({
  id: z.number().int(),
  /** The `webhook-id` header: the same for every attempt. */
  message: z.string(),
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number().int(),
  /** HTTP status of the last attempt; null where there was no answer. */
  status: z.number().int().nullable(),
  /** Milliseconds of the last attempt. */
  duration: z.number().int().nullable(),
  nextattempt: timestamp.nullable(),
  /** Empty for a key that may not read what it is about. */
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
