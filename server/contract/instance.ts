import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { alwaysSent } from './envelope.ts';

/** What a client can find out about a server before it has a key (decision 0008). */
export const instanceMeta = z.object({
  name: z.string(),
  version: z.string(),
  contract: z.string(),
  features: z.array(z.string()),
  setup: z.boolean(),
  /** Where short links begin that are on no domain. A client may reach the server by another address of it. */
  linkorigin: alwaysSent(z.string()),
});
export type InstanceMeta = z.output<typeof instanceMeta>;

export const getMeta = endpoint({
  method: 'GET',
  path: '/api/meta',
  summary: "Get the server's version and features.",
  access: 'public',
  reply: z.object({ data: instanceMeta }),
});

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/health',
  summary: 'Check that the server is running.',
  access: 'public',
  reply: z.object({}),
});

/** What the vault's key seals in a database. */
const sealedKind = z.enum([
  'second factor',
  'mailer key',
  'webhook secret',
  'backup passphrase',
  'single sign-on secret',
  'mail password',
  'fleet secret',
]);
export type SealedKind = z.output<typeof sealedKind>;

/** What an administrator should know about the state of an instance. */
export const instanceCondition = z.object({
  /** Visits since the start that were answered although the disk had no room to count them. */
  lostvisits: z.int(),
  /** `low`: visits are no longer counted. `full`: nothing is written but what frees space. */
  disk: z.enum(['ok', 'low', 'full']),
  /** Null where the system does not say. */
  freebytes: z.int().nullable(),
  /** Since when the clock has been far ahead of the last known time, so that nothing is deleted for its age. */
  clockdoubtedsince: z.string().nullable(),
  /** What the last look at every page of the database found damaged; null while it is sound as far as is known. */
  damage: alwaysSent(z.string().nullable()),
  /** Secrets that the vault's key did not open at the start; null while it opens all of them. */
  lostsecrets: alwaysSent(
    z
      .object({
        kinds: z.array(sealedKind),
        /** `missing`: no new secret can be stored either. `other`: the key is of another data folder. */
        key: z.enum(['missing', 'other']),
      })
      .nullable(),
  ),
});
export type InstanceCondition = z.output<typeof instanceCondition>;

export const getInstance = endpoint({
  method: 'GET',
  path: '/api/instance',
  summary:
    'Get the instance state: disk space, uncounted visits, the clock, damage to the database, and secrets that cannot be decrypted.',
  access: 'admin',
  scope: 'settings',
  reply: z.object({ data: instanceCondition }),
});

const openApi = z.looseObject({ openapi: z.string() });

export const getOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'Get this API as an OpenAPI 3.1 document.',
  access: 'public',
  reply: openApi,
  answers: { 'application/json': openApi },
});
