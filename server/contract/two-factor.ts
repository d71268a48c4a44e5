import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { acknowledged, alwaysSent } from './envelope.ts';

/** Contract, "Limits": a TOTP code has 6 digits. A string, because a number would lose leading zeros. */
export const totpCode = z.string().regex(/^[0-9]{6}$/, 'Enter the 6-digit code from your authenticator.');

/** Ours: a code from the authenticator app, or a recovery code. */
export const secondFactor = z
  .string()
  .regex(
    /^([0-9]{6}|[a-zA-Z0-9]{4}([- ]?[a-zA-Z0-9]{4}){3})$/,
    'Enter the 6-digit code from your authenticator, or a recovery code.',
  );

const currentPassword = z.string().min(1, 'Enter your password.').max(1024);

/**
 * Reauthentication before adding a permanent way to sign in. Users without a password must have signed in within the
 * last five minutes, and send a code if they have two-factor authentication.
 */
export const personProof = { current_password: currentPassword.optional(), code: secondFactor.optional() };

export const setUpTwoFactor = endpoint({
  method: 'POST',
  path: '/api/account/2fa/setup',
  summary: 'Create a new authenticator secret; does not turn on two-factor authentication yet.',
  scope: 'account',
  reachesAll: true,
  bodyOptional: true,
  reply: z.object({
    data: z.object({ secret: z.string(), otpauth_url: z.string(), expires_in: z.number().int() }),
  }),
});

/**
 * `recovery_codes` is ours: ten single-use codes, returned only here. `current_password` is only required after twenty
 * wrong codes in a row (400 `password_required`).
 */
export const enableTwoFactor = endpoint({
  method: 'POST',
  path: '/api/account/2fa/enable',
  summary: 'Turn on two-factor authentication with a code for the set-up secret.',
  scope: 'account',
  reachesAll: true,
  body: z.object({ code: totpCode, current_password: currentPassword.optional() }),
  reply: z.object({
    message: z.string(),
    data: alwaysSent(z.object({ recovery_codes: z.array(z.string()) })),
  }),
});

export const disableTwoFactor = endpoint({
  method: 'POST',
  path: '/api/account/2fa/disable',
  summary: 'Turn off two-factor authentication with a code or the password.',
  scope: 'account',
  reachesAll: true,
  body: z.object({ code: secondFactor.optional(), current_password: currentPassword.optional() }),
  reply: acknowledged,
});

/** Ours. */
export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/account/2fa/recovery',
  summary: 'Replace the recovery codes.',
  scope: 'account',
  reachesAll: true,
  body: z.object(personProof),
  reply: z.object({ message: z.string(), data: z.object({ recovery_codes: z.array(z.string()) }) }),
});
