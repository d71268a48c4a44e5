import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { acknowledged } from './envelope.ts';
import { password } from './sessions.ts';

/** Same reply and duration whether or not the account exists. */
export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/api/auth/password/forgot',
  summary: 'Email a password reset link to the address of an account.',
  access: 'public',
  body: z.object({ login: z.string().min(1, 'Enter your email or username.').max(254) }),
  reply: acknowledged,
});

/** Does not sign in. Ends every session and key of the account. */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/password/reset',
  summary: 'Set a new password with the code of an emailed link. It works once, for 30 minutes.',
  access: 'public',
  body: z.object({ code: z.string().min(1).max(200), password }),
  reply: acknowledged,
});
