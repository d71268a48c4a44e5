import { z } from 'zod';
import { account } from './account.ts';
import { composed } from './composed.ts';
import { endpoint } from './endpoint.ts';
import { acknowledged, alwaysSent, listOf, paging, timestamp } from './envelope.ts';
import { chosenLanguage } from './languages.ts';

/** Password rule of the contract ("Limits"): at least 5 characters. The length cap bounds the cost of hashing. */
export const password = z
  .string()
  .min(5, 'Choose a password of at least 5 characters.')
  .max(1024, 'Choose a password of at most 1024 characters.');

export const email = z.email('Enter an email address, such as name@example.com.').max(254);

export const username = z
  .string()
  .transform((name) => composed(name).trim())
  .pipe(
    z
      .string()
      .min(2, 'Choose a username of at least 2 characters.')
      .max(60, 'Choose a username of at most 60 characters.')
      // Some invisible fillers count as letters: with them a name would look like another one.
      .regex(
        /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}._-])+$/u,
        'Use letters, digits, dots, dashes and underscores in the username.',
      )
      // The name is part of public URLs, where `..` refers to the parent folder.
      .regex(/[^.]/, 'Use letters or digits in the username, not only dots.'),
  );

/** Whitespace and invisible characters: joiners, fillers, the blank Braille pattern. */
const unseen = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether a text contains no visible characters. */
export const isUnseen = (text: string): boolean => unseen.test(text);

/** A line of text that a person typed: no control characters, trimmed. Invisible characters count as blank. */
export function plainLine(max: number) {
  return z
    .string()
    .transform((text) => (isUnseen(text) ? '' : composed(text).trim()))
    .pipe(
      z
        .string()
        .max(max, `Use at most ${max} characters.`)
        .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'Remove the control characters.'),
    );
}

/** The new user's browser settings; without them, the instance's time zone and no language. */
export const habits = {
  /** An IANA name; unknown ones are ignored. */
  timezone: z.string().max(64).optional(),
  language: chosenLanguage.optional(),
};

/** Decision 0008: creates the administrator; only available while there is no account. */
export const setUp = endpoint({
  method: 'POST',
  path: '/api/setup',
  summary: 'Create the first account on a new instance. Works once.',
  access: 'public',
  body: z.object({
    email,
    username,
    password,
    name: plainLine(120).optional(),
    ...habits,
    /** The code that the server prints at startup; only required if the request does not come from loopback. */
    setupcode: z.string().max(200).optional(),
  }),
  refusals: [404],
  reply: z.object({ message: z.string(), data: z.object({ api_key: z.string(), account }) }),
});

export const signIn = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in with email or username and password; returns a session token.',
  access: 'public',
  body: z.object({
    login: z.string().min(1, 'Enter your email or username.').max(254),
    password: z.string().min(1, 'Enter your password.').max(1024),
    code: z.string().max(64).optional(),
    device: plainLine(120).optional(),
  }),
  refusals: [401],
  reply: z.object({
    message: z.string(),
    data: z.object({ token: z.string(), expires: timestamp, account }),
  }),
});

export const signOut = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  acts: 'person',
  summary: 'Sign out: end the session of this request.',
  bodyOptional: true,
  reply: acknowledged,
});

export const session = z.object({
  id: z.number().int(),
  device: z.string().nullable(),
  current: z.boolean(),
  created: timestamp,
  expires: timestamp,
  lastused: timestamp.nullable(),
  lastaddress: z.string().nullable(),
  /** ISO code of that address's country; empty if unknown. */
  lastcountry: alwaysSent(z.string()),
});
export type Session = z.output<typeof session>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/auth/sessions',
  summary: "List the account's sessions.",
  scope: 'account',
  query: z.object(paging),
  reply: listOf('sessions', session),
});

export const deleteSession = endpoint({
  method: 'DELETE',
  path: '/api/auth/session/:id/delete',
  summary: 'Sign out a session.',
  scope: 'account',
  reply: acknowledged,
});
