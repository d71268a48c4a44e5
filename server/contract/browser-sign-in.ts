import { z } from 'zod';
import { account } from './account.ts';
import { endpoint } from './endpoint.ts';
import { timestamp } from './envelope.ts';
import { plainLine } from './sessions.ts';

/**
 * The desktop's redirect URI: a loopback IP address with any port (RFC 8252, section 7.3). Host names are rejected,
 * because a hosts file or DNS could resolve them to another machine.
 */
export const loopbackAddress = z
  .string()
  .max(200)
  .regex(
    /^http:\/\/(127\.0\.0\.1|\[::1\]):[1-9]\d{0,4}\/[A-Za-z0-9_-]{1,100}$/,
    'Use a loopback address such as http://127.0.0.1:49152/signed-in.',
  )
  .refine((text) => Number(/:(\d+)\/[^/]*$/.exec(text)?.[1]) < 65_536, 'Use a port below 65536.');

/** SHA-256 of the code verifier, in base64url (RFC 7636; only method S256 is supported). */
export const codeChallenge = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Send the S256 challenge in base64url.');

/** The device name shown to the user, who decides based on it; characters that disguise the name are rejected. */
export const deviceName = plainLine(120).pipe(
  z
    .string()
    .min(1, 'Enter the name of the device.')
    .regex(/^[^\u202a-\u202e\u2066-\u2069]*$/, 'Remove the characters that change the writing direction.'),
);

/** Requires a browser session, so that a leaked API key cannot create a session that outlives it. */
export const approveBrowserSignIn = endpoint({
  method: 'POST',
  path: '/api/auth/browser/approve',
  acts: 'person',
  summary: 'Let a desktop app sign in as you: returns a code for it that works once, for a minute.',
  scope: 'account',
  reachesAll: true,
  body: z.object({ challenge: codeChallenge, redirecturi: loopbackAddress, device: deviceName }),
  reply: z.object({ data: z.object({ code: z.string() }) }),
});

export const finishBrowserSignIn = endpoint({
  method: 'POST',
  path: '/api/auth/browser/finish',
  summary: 'Sign in with the code that the browser brought back; returns a session token.',
  access: 'public',
  body: z.object({
    code: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Send the code as the browser brought it.'),
    /** The verifier of the challenge (PKCE). */
    verifier: z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/, 'Send the verifier of the challenge.'),
    redirecturi: loopbackAddress,
  }),
  refusals: [401],
  reply: z.object({
    message: z.string(),
    data: z.object({ token: z.string(), expires: timestamp, account }),
  }),
});
