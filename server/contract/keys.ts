import { z } from 'zod';
import { endpoint, scopeResources } from './endpoint.ts';
import {
  acknowledged,
  alwaysSent,
  identifier,
  listOf,
  paging,
  timestamp,
  timestampInput,
} from './envelope.ts';
import { plainLine } from './sessions.ts';
import { edited, versioned } from './versions.ts';

/** All possible scopes of a key. */
export const scopeNames = scopeResources.flatMap(
  (resource) => [`${resource}:read`, `${resource}:write`] as const,
);

/** `full`, or a list of scopes; write access to a resource includes read access. */
export const keyScopes = z.union([
  z.literal('full'),
  z.array(z.enum(scopeNames)).min(1, 'Choose at least one scope.').max(scopeNames.length),
]);
export type KeyScopes = z.output<typeof keyScopes>;

/** A key in lists; its secret is only returned when it is created. */
export const apiKey = z.object({
  id: z.number().int(),
  kind: z.enum(['primary', 'custom']),
  name: z.string(),
  /** The first characters of the secret, to identify the key. */
  prefix: z.string(),
  scopes: z.union([z.literal('full'), z.array(z.string())]),
  /** Requests per minute; null for the instance's default. */
  ratelimit: z.number().int().nullable(),
  created: timestamp,
  expires: timestamp.nullable(),
  expired: z.boolean(),
  lastused: timestamp.nullable(),
  lastaddress: z.string().nullable(),
  /** ISO code of that address's country; empty if unknown. */
  lastcountry: alwaysSent(z.string()),
  /** The account it acts for. */
  account: alwaysSent(z.number().int()),
  /** Whether it authenticated this request. */
  current: z.boolean(),
  ...versioned,
});
export type ApiKey = z.output<typeof apiKey>;

const name = plainLine(120).pipe(z.string().min(1, 'Enter a name for the key.'));
const ratelimit = z.number().int().min(1, 'Allow at least 1 request per minute.').max(1_000_000);

/** Contract, "Account": rotates the primary key; `force` is required if the request uses the primary key itself. */
export const regenerateKey = endpoint({
  method: 'POST',
  path: '/api/account/api/regenerate',
  summary: 'Regenerate the primary API key; the old one fails on the next request.',
  scope: 'account',
  body: z.object({ force: z.boolean().optional() }),
  bodyOptional: true,
  reply: z.object({ message: z.string(), data: z.object({ api_key: z.string() }) }),
});

export const listKeys = endpoint({
  method: 'GET',
  path: '/api/keys',
  acts: 'member',
  summary: "List the account's API keys, newest first.",
  scope: 'account',
  query: z.object(paging),
  reply: listOf('keys', apiKey),
});

export const addKey = endpoint({
  method: 'POST',
  path: '/api/key/add',
  acts: 'member',
  summary: 'Create a custom API key; it is returned only once.',
  scope: 'account',
  body: z.object({
    name,
    scopes: keyScopes.default('full'),
    expires: timestampInput.nullable().optional(),
    ratelimit: ratelimit.nullable().optional(),
    /** The account it acts for; defaults to the user's own. Creating one for a team requires the admin role. */
    account: identifier.optional(),
  }),
  reply: z.object({
    message: z.string(),
    data: z.object({ id: z.number().int(), name: z.string(), api_key: z.string() }),
  }),
});

export const updateKey = endpoint({
  method: 'PUT',
  path: '/api/key/:id/update',
  acts: 'member',
  summary: "Update a key's name, scopes, expiry or rate limit; null clears expiry and limit.",
  scope: 'account',
  body: z.object({
    name: name.optional(),
    scopes: keyScopes.optional(),
    expires: timestampInput.nullable().optional(),
    ratelimit: ratelimit.nullable().optional(),
  }),
  reply: edited,
});

export const deleteKey = endpoint({
  method: 'DELETE',
  path: '/api/key/:id/delete',
  acts: 'member',
  summary: 'Revoke a custom API key.',
  scope: 'account',
  reply: acknowledged,
});
