import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { alwaysSent, loosened, timestamp } from './envelope.ts';
import { roles } from './roles.ts';
import { versioned } from './versions.ts';

export const permissions = z.object({
  alias: z.boolean(),
  password: z.boolean(),
  qrlogo: z.boolean(),
  qrframes: z.boolean(),
  utmtemplates: z.boolean(),
});

/** Contract, "Address": all fields are strings. */
export const address = z.object({
  name: z.string(),
  company: z.string(),
  type: z.enum(['personal', 'business']),
  taxid: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
});

/** Contract, "Account". Fields missing from other servers' reduced variant are optional. */
export const account = z.object({
  id: z.number().int(),
  email: z.string(),
  username: z.string(),
  name: alwaysSent(z.string()),
  avatar: z.string(),
  status: z.string(),
  planid: alwaysSent(z.number().int()),
  expires: timestamp.nullable(),
  registered: timestamp,
  verified: alwaysSent(z.boolean()),
  active: alwaysSent(z.boolean()),
  timezone: alwaysSent(z.string()),
  /** Ours: the user's language in the app; empty follows the browser or the system. */
  language: alwaysSent(z.string()),
  perpage: alwaysSent(z.number().int()),
  newsletter: alwaysSent(z.boolean()),
  brokenlinks_email: alwaysSent(z.boolean()),
  media: alwaysSent(z.boolean()),
  public: alwaysSent(z.boolean()),
  defaulttype: alwaysSent(z.string()),
  domain: alwaysSent(z.string()),
  has_2fa: alwaysSent(z.boolean()),
  address: alwaysSent(loosened(address)),
  permissions: alwaysSent(loosened(permissions)),
  /** Ours: the plan's features; a count of -1 is unlimited. */
  features: alwaysSent(
    z.record(z.string(), z.object({ enabled: z.boolean(), count: z.number().int().optional() })),
  ),
  /** Ours: whether this account administers the instance. */
  admin: alwaysSent(z.boolean()),
  ...versioned,
  /** Ours: email notifications. */
  signin_email: alwaysSent(z.boolean()),
  domains_email: alwaysSent(z.boolean()),
  /**
   * Ours: the requesting user and their role; `owner` in a personal account. Only present for the caller's own account.
   */
  member: z
    .object({
      id: z.number().int(),
      name: z.string(),
      role: z.enum(roles),
      /** Whether the user administers the instance, whichever account they act for. */
      admin: z.boolean().optional(),
    })
    .optional(),
});
export type Account = z.output<typeof account>;

export const getAccount = endpoint({
  method: 'GET',
  path: '/api/account',
  acts: 'see',
  summary: 'Get the account that the key belongs to.',
  scope: 'account',
  reply: z.object({ data: account }),
});

/** The contract's sample request uses POST, so POST returns the same as GET (decision 0005). */
export const postAccount = endpoint({
  method: 'POST',
  path: '/api/account',
  acts: 'see',
  summary: 'The same as GET, for clients that follow the published sample.',
  scope: 'account',
  reads: true,
  bodyOptional: true,
  reply: z.object({ data: account }),
});
