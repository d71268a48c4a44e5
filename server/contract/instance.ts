import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { alwaysSent } from './envelope.ts';

/** Public information about a server, available without a key (decision 0008). */
export const instanceMeta = z.object({
  name: z.string(),
  version: z.string(),
  contract: z.string(),
  features: z.array(z.string()),
  setup: z.boolean(),
  /** The origin of short links without a domain. A client may reach the server at a different one. */
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

/** Secrets in the database encrypted with the vault's key. */
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

/** Problems of an instance that an administrator should know about. */
export const instanceCondition = z.object({
  /** Number of visits since startup that were answered but not counted because the disk was full. */
  lostvisits: z.int(),
  /** `low`: visits are no longer counted. `full`: only writes that free space are allowed. */
  disk: z.enum(['ok', 'low', 'full']),
  /** Null if the system does not report it. */
  freebytes: z.int().nullable(),
  /** Since when the clock has been far ahead of the last known time, which suspends age-based deletion. */
  clockdoubtedsince: z.string().nullable(),
  /** Damage found by the last database integrity check; null if none is known. */
  damage: alwaysSent(z.string().nullable()),
  /** Secrets that the vault's key failed to decrypt at startup; null if there are none. */
  lostsecrets: alwaysSent(
    z
      .object({
        kinds: z.array(sealedKind),
        /** `missing`: new secrets cannot be stored either. `other`: the key belongs to another data folder. */
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
