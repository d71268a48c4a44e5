import { z } from 'zod';
import { account } from './account.ts';
import { endpoint } from './endpoint.ts';
import { acknowledged, identifier, listOf, paging, timestamp } from './envelope.ts';
import { plainLine } from './sessions.ts';
import { givenRole } from './teams.ts';
import { personProof } from './two-factor.ts';

/** HTTPS, except for a provider on this machine. */
const issuer = z
  .url({ protocol: /^https?$/, error: 'Use a URL such as https://login.example.com.' })
  .max(500)
  .regex(/^(https:\/\/|http:\/\/localhost[:/]|http:\/\/localhost$)/i, 'Use an https:// URL.');

const mailDomain = z
  .string()
  .max(253)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'Use domains such as example.com.'));

/** A claim's name, as used by the provider: `groups`, `https://example.com/roles`. */
const claimName = plainLine(200).pipe(z.string().min(1, 'Enter the name of the claim.'));
/** One of a claim's values. */
const claimValue = plainLine(200).pipe(z.string().min(1, 'Enter the value of the claim.'));

const provider = z.object({
  /** Whether it is shown on the sign-in page. */
  enabled: z.boolean(),
  issuer: issuer.nullable(),
  clientid: plainLine(300).nullable(),
  /** The text of its button after "Sign in with". */
  name: plainLine(60),
  /** Only users with a verified address in one of these domains; empty allows all of the provider's users. */
  domains: z.array(mailDomain).max(50),
  /** Whether the first sign-in creates an account. */
  create: z.boolean(),
  /** Whether a verified email address is sufficient to sign in to the existing account with that address. */
  linkbymail: z.boolean(),
  /** Whether passwords are accepted as well. */
  passwords: z.boolean(),
  /** Scopes requested in addition to `openid email profile`, such as `groups`. */
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/, 'Use scopes such as groups.'))
    .max(10),
  /**
   * The claim that determines the plan at each sign-in: the first matching value of the list wins. Users without a
   * match whose current plan is in the list get the default plan.
   */
  planclaim: claimName.nullable(),
  plans: z.array(z.object({ value: claimValue, planid: identifier })).max(50),
  /**
   * The claim that determines team membership at each sign-in: users with a value are in its team, and all others
   * except the owner are removed.
   */
  teamclaim: claimName.nullable(),
  teams: z.array(z.object({ value: claimValue, team: identifier, role: givenRole })).max(100),
});
export type ProviderSettings = z.output<typeof provider>;

const shown = z.object({
  ...provider.shape,
  hassecret: z.boolean(),
  /** The redirect URI to register with the provider. */
  redirecturi: z.string(),
});
export type ShownProvider = z.output<typeof shown>;

export const getProvider = endpoint({
  method: 'GET',
  path: '/api/sso',
  summary: 'Get the single sign-on settings.',
  access: 'admin',
  scope: 'settings',
  reply: z.object({ data: shown }),
});

/** Security-sensitive: the provider determines who signs in to which account. */
export const updateProvider = endpoint({
  method: 'PUT',
  path: '/api/sso',
  summary: 'Update the single sign-on settings; omitted fields are unchanged.',
  access: 'admin',
  scope: 'settings',
  reachesAll: true,
  body: provider.partial().extend({ clientsecret: z.string().min(1).max(1000).nullable().optional() }),
  reply: z.object({ message: z.string(), data: shown }),
});

export const testProvider = endpoint({
  method: 'POST',
  path: '/api/sso/test',
  summary: 'Check that the provider is reachable, publishes its configuration and knows the client.',
  access: 'admin',
  scope: 'settings',
  reachesAll: true,
  bodyOptional: true,
  reply: z.object({ message: z.string() }),
});

export const signInMethods = endpoint({
  method: 'GET',
  path: '/api/auth/methods',
  summary: 'Get the ways to sign in.',
  access: 'public',
  reply: z.object({
    data: z.object({
      passwords: z.boolean(),
      sso: z.object({ name: z.string() }).nullable(),
      /** Whether passwords can be reset by email. */
      reset: z.boolean(),
    }),
  }),
});

/** A secret known only to the page that started the sign-in: 32 random bytes in base64url. */
const secret = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Send 32 bytes in base64url.');
/** The query string of the provider's redirect. */
const answer = z.string().max(8000);

export const startSingleSignOn = endpoint({
  method: 'POST',
  path: '/api/auth/sso/start',
  summary: 'Begin single sign-on: returns the address of the provider to go to.',
  access: 'public',
  body: z.object({ secret }),
  reply: z.object({ data: z.object({ url: z.string() }) }),
});

export const finishSingleSignOn = endpoint({
  method: 'POST',
  path: '/api/auth/sso/finish',
  summary: "Sign in with the provider's answer; returns a session token.",
  access: 'public',
  body: z.object({ answer, secret, device: plainLine(120).optional() }),
  refusals: [401, 403],
  reply: z.object({
    message: z.string(),
    data: z.object({ token: z.string(), expires: timestamp, account }),
  }),
});

const identity = z.object({
  id: z.number().int(),
  issuer: z.string(),
  /** The user's email address or name at the provider. */
  label: z.string(),
  created: timestamp,
  lastused: timestamp.nullable(),
});
export type Identity = z.output<typeof identity>;

export const listIdentities = endpoint({
  method: 'GET',
  path: '/api/account/identities',
  summary: 'List the person’s identities at single sign-on providers.',
  scope: 'account',
  query: z.object(paging),
  reply: z.object({
    data: listOf('identities', identity).shape.data.extend({
      /** Whether the user also has a password. */
      haspassword: z.boolean(),
    }),
  }),
});

/** A link grants permanent access, so a stolen session alone must not be enough. */
export const startLinking = endpoint({
  method: 'POST',
  path: '/api/account/identity/start',
  summary: 'Begin linking the account with the provider: returns the address to go to.',
  scope: 'account',
  reachesAll: true,
  body: z.object({ secret, ...personProof }),
  reply: z.object({ data: z.object({ url: z.string() }) }),
});

export const addIdentity = endpoint({
  method: 'POST',
  path: '/api/account/identity/add',
  summary: "Link the account with the provider's answer.",
  scope: 'account',
  reachesAll: true,
  body: z.object({ answer, secret }),
  reply: z.object({ message: z.string(), data: z.object({ id: z.number().int() }) }),
});

export const deleteIdentity = endpoint({
  method: 'DELETE',
  path: '/api/account/identity/:id/delete',
  summary: 'Unlink the account: this identity no longer signs in.',
  scope: 'account',
  reply: acknowledged,
});
