import { z } from 'zod';
import { account } from './account.ts';
import { endpoint } from './endpoint.ts';
import { acknowledged, listOf, paging, timestamp } from './envelope.ts';
import { plainLine } from './sessions.ts';
import { personProof } from './two-factor.ts';
import { edited, versioned } from './versions.ts';

const name = plainLine(120).pipe(z.string().min(1, 'Enter a name for the passkey.'));

/** Bytes in base64url without padding, as in WebAuthn's JSON. */
function base64url(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(/^[A-Za-z0-9_-]+$/, 'Send base64url without padding.');
}

const credentialId = base64url(1400);

/** A PublicKeyCredential as returned by its `toJSON` (WebAuthn Level 3, section 5.1). */
const credentialOf = <Response extends z.ZodType>(response: Response) =>
  z.object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response,
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullable().optional(),
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
  });

export const newCredential = credentialOf(
  z.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(16_384),
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
);
export type NewCredential = z.output<typeof newCredential>;

export const usedCredential = credentialOf(
  z.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(4096),
    signature: base64url(8192),
    userHandle: base64url(128).nullable().optional(),
  }),
);
export type UsedCredential = z.output<typeof usedCredential>;

/** Options for `navigator.credentials.create`, in JSON. */
const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  excludeCredentials: z.array(
    z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) }),
  ),
  /** Milliseconds. */
  timeout: z.number().int(),
  attestation: z.literal('none'),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
});
export type CreationOptions = z.output<typeof creationOptions>;

/** Options for `navigator.credentials.get`, in JSON. */
const requestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  /** Milliseconds. */
  timeout: z.number().int(),
  userVerification: z.literal('required'),
});
export type RequestOptions = z.output<typeof requestOptions>;

export const passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The host name it is valid for. */
  host: z.string(),
  /** Whether a password manager syncs it across devices. */
  synced: z.boolean(),
  created: timestamp,
  lastused: timestamp.nullable(),
  ...versioned,
});
export type Passkey = z.output<typeof passkey>;

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/account/passkeys',
  summary: "List the person's passkeys, newest first.",
  scope: 'account',
  query: z.object(paging),
  reply: listOf('passkeys', passkey),
});

/** A passkey grants permanent access, so a stolen session alone must not be enough to add one. */
export const passkeyOptions = endpoint({
  method: 'POST',
  path: '/api/account/passkey/options',
  summary: 'Begin adding a passkey: returns the options for navigator.credentials.create.',
  scope: 'account',
  reachesAll: true,
  body: z.object(personProof),
  reply: z.object({ data: z.object({ options: creationOptions }) }),
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/account/passkey/add',
  summary: 'Add the passkey that the browser created.',
  scope: 'account',
  reachesAll: true,
  body: z.object({ name: name.optional(), credential: newCredential }),
  reply: z.object({ message: z.string(), data: z.object({ id: z.number().int(), name: z.string() }) }),
});

export const updatePasskey = endpoint({
  method: 'PUT',
  path: '/api/account/passkey/:id/update',
  summary: 'Rename a passkey.',
  scope: 'account',
  body: z.object({ name }),
  reply: edited,
});

export const deletePasskey = endpoint({
  method: 'DELETE',
  path: '/api/account/passkey/:id/delete',
  summary: 'Remove a passkey: it no longer signs in.',
  scope: 'account',
  reply: acknowledged,
});

export const passkeySignInOptions = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/options',
  summary: 'Begin signing in with a passkey: returns the options for navigator.credentials.get.',
  access: 'public',
  bodyOptional: true,
  reply: z.object({ data: z.object({ options: requestOptions }) }),
});

/** A passkey already combines two factors, so no further code is required. */
export const signInWithPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/login',
  summary: 'Sign in with a passkey; returns a session token.',
  access: 'public',
  body: z.object({ credential: usedCredential, device: plainLine(120).optional() }),
  refusals: [401],
  reply: z.object({
    message: z.string(),
    data: z.object({ token: z.string(), expires: timestamp, account }),
  }),
});
