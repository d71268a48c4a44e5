import { z } from 'zod';
import { address } from './account.ts';
import { endpoint } from './endpoint.ts';
import { chosenLanguage } from './languages.ts';
import { email, password, plainLine, username } from './sessions.ts';
import { edited } from './versions.ts';

/** Page sizes that an account may choose (contract, "Account"). */
export const perpageChoices = [15, 50, 100] as const;

/** The default type of new links (contract, "Account"). */
export const defaultTypes = ['direct', 'frame', 'splash'] as const;

const addressLine = plainLine(255);

/** Contract, "PUT /api/account/update body": every field is optional. */
export const accountChange = z.object({
  email: email.optional(),
  username: username.optional(),
  name: plainLine(120).optional(),
  password: password.optional(),
  current_password: z.string().max(1024).optional(),
  /** A code from the authenticator app, for users who have two-factor authentication but no password. */
  code: z.string().max(64).optional(),
  /**
   * Ours, with `password`: true keeps the other sessions and API keys, `keys` keeps only the API keys. By default all
   * are revoked except the one used for this request.
   */
  keep: z.union([z.boolean(), z.literal('keys')]).optional(),
  /** An IANA name, such as Europe/Berlin. */
  timezone: z.string().max(64).optional(),
  /** Ours: belongs to the user, whichever account they act for. */
  language: chosenLanguage.optional(),
  perpage: z.literal(perpageChoices, 'Choose 15, 50 or 100.').optional(),
  newsletter: z.boolean().optional(),
  brokenlinks_email: z.boolean().optional(),
  /** Ours, like `domains_email`: whether sign-ins from a new device or network trigger an email. */
  signin_email: z.boolean().optional(),
  domains_email: z.boolean().optional(),
  media: z.boolean().optional(),
  public: z.boolean().optional(),
  /** Ignored on a free account. */
  defaulttype: z.enum(defaultTypes, 'Choose direct, frame or splash.').optional(),
  /** One of the account's domains, as host name or URL; ignored on a free account. */
  domain: z.string().max(300).optional(),
  /** Stored encrypted and never returned; null or an empty string clears it. */
  mailerapikey: z
    .string()
    .max(500, 'Use at most 500 characters.')
    .regex(/^[^\p{Cc}]*$/u, 'Remove the control characters.')
    .nullable()
    .optional(),
  /** Merged key by key. */
  address: z
    .object({
      name: addressLine,
      company: addressLine,
      type: address.shape.type,
      taxid: addressLine,
      address: addressLine,
      city: addressLine,
      state: addressLine,
      zip: addressLine,
      country: addressLine,
    })
    .partial()
    .optional(),
  /** URL of a PNG or JPEG, cropped to 500x500; null clears it. */
  avatar: z.string().min(1, 'Enter a picture URL.').max(2048).nullable().optional(),
});
export type AccountChange = z.output<typeof accountChange>;

export const updateAccount = endpoint({
  method: 'PUT',
  path: '/api/account/update',
  acts: 'see',
  summary: 'Update the account; omitted fields are unchanged.',
  scope: 'account',
  body: accountChange,
  reply: edited,
});
