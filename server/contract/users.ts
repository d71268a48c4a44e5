import { z } from 'zod';
import { account } from './account.ts';
import { endpoint } from './endpoint.ts';
import { acknowledged, alwaysSent, identifier, timestamp, timestampInput } from './envelope.ts';
import { email, habits, password, plainLine, username } from './sessions.ts';
import { edited } from './versions.ts';

/** An account as seen by an administrator. */
export const user = z.object({
  ...account.shape,
  /** Number of links, not counting the trash. */
  links: z.number().int(),
  /** Teams that the user owns: they must be transferred before the account can be deleted. */
  owns_teams: alwaysSent(z.array(z.object({ id: z.number().int(), name: z.string() }))),
});
export type User = z.output<typeof user>;

const name = plainLine(120);
/** When the plan ends; null for never. A date alone means the end of that day. */
const expiration = timestampInput.nullable();

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/users',
  summary: 'List all accounts, newest first.',
  access: 'admin',
  scope: 'users',
  query: z.object({
    filter: z.enum(['admin', 'free', 'pro']).optional(),
    /** The full email address, ignoring case. */
    email: z.string().max(254).optional(),
  }),
  reply: z.object({ data: z.array(user) }),
});

export const getUser = endpoint({
  method: 'GET',
  path: '/api/user/:id',
  summary: 'Get an account.',
  access: 'admin',
  scope: 'users',
  reply: z.object({ data: user }),
});

export const addUser = endpoint({
  method: 'POST',
  path: '/api/user/add',
  summary: 'Create an account.',
  access: 'admin',
  scope: 'users',
  body: z.object({
    username,
    email,
    password,
    name: name.optional(),
    planid: identifier.optional(),
    expiration: expiration.optional(),
    admin: z.boolean().optional(),
  }),
  reply: z.object({
    message: z.string(),
    data: z.object({ id: z.number().int(), email: z.string(), username: z.string() }),
  }),
});

export const updateUser = endpoint({
  method: 'PUT',
  path: '/api/user/:id/update',
  summary: 'Update an account; omitted fields are unchanged.',
  access: 'admin',
  scope: 'users',
  body: z.object({
    username: username.optional(),
    email: email.optional(),
    password: password.optional(),
    name: name.optional(),
    planid: identifier.optional(),
    expiration: expiration.optional(),
    admin: z.boolean().optional(),
    /** false deactivates the account and ends all its sessions. */
    active: z.boolean().optional(),
    /** Whether the email address is verified; a new address is by default. */
    verified: z.boolean().optional(),
    /** Only false: for a user who lost the authenticator and the recovery codes. */
    has_2fa: z.literal(false, 'Only the account itself can turn this on.').optional(),
  }),
  reply: edited,
});

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/user/:id/delete',
  summary:
    'Delete an account; `personal` names the person who gets what it owns, which is deleted otherwise.',
  access: 'admin',
  scope: 'users',
  query: z.object({
    personal: z
      .union([
        z.literal('delete'),
        z
          .string()
          .regex(/^[1-9]\d{0,14}$/, 'Send an id, or `delete`.')
          .transform(Number),
      ])
      .default('delete'),
  }),
  reply: acknowledged,
});

const invitation = z.object({
  id: z.number().int(),
  email: z.string().nullable(),
  planid: z.number().int().nullable(),
  created: timestamp,
  expires: timestamp,
});
export type Invitation = z.output<typeof invitation>;

export const addInvitation = endpoint({
  method: 'POST',
  path: '/api/invite/add',
  summary: 'Create a one-time registration link; it is returned only once.',
  access: 'admin',
  scope: 'users',
  body: z.object({
    /** Binds the invitation to this address. */
    email: email.optional(),
    planid: identifier.optional(),
    /** Defaults to seven days. */
    expires: timestampInput.optional(),
  }),
  bodyOptional: true,
  reply: z.object({
    message: z.string(),
    data: z.object({
      url: z.string(),
      code: z.string(),
      expires: timestamp,
      /** Whether it was sent by email. */
      mailed: z.boolean(),
    }),
  }),
});

/** Ours: unused invitations; their codes cannot be retrieved again. */
export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/invites',
  summary: 'List open invitations, newest first.',
  access: 'admin',
  scope: 'users',
  reply: z.object({ data: z.array(invitation) }),
});

export const deleteInvitation = endpoint({
  method: 'DELETE',
  path: '/api/invite/:id/delete',
  summary: 'Revoke an invitation.',
  access: 'admin',
  scope: 'users',
  reply: acknowledged,
});

/** Responds like sign-in, and includes the account's API key once. */
export const register = endpoint({
  method: 'POST',
  path: '/api/auth/register',
  summary: 'Register an account with an invitation, or without one if the instance allows it.',
  access: 'public',
  body: z.object({
    code: z.string().max(200).optional(),
    email,
    username,
    password,
    name: name.optional(),
    ...habits,
    /** The session's name in the list of sessions; defaults to the user agent. */
    device: plainLine(120).pipe(z.string().min(1)).optional(),
  }),
  reply: z.object({
    message: z.string(),
    data: z.object({ token: z.string(), expires: timestamp, api_key: z.string(), account }),
  }),
});
