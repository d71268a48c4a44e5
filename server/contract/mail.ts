import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { alwaysSent, timestamp } from './envelope.ts';
import { settings, settingsChange } from './settings.ts';

const shown = z.object({
  mail: settings.shape.mail,
  /** Settings fixed at startup, such as `mail.host`; they cannot be changed here. */
  fixed: z.array(z.string()),
  /** Whether a password is set; it is never returned. */
  haspassword: z.boolean(),
  /** Number of queued messages. */
  waiting: z.number().int(),
  /** Why the last attempt failed; null if it succeeded. */
  failure: z
    .object({
      message: z.string(),
      /** The error code that a test message would return, such as `mail_auth`. */
      code: alwaysSent(z.string()),
      /** The values in the sentence: `server`, `host`, `from`, and as `words` the server's response, if any. */
      data: alwaysSent(z.record(z.string(), z.string())),
      date: timestamp,
    })
    .nullable(),
});
export type ShownMail = z.output<typeof shown>;

export const getMail = endpoint({
  method: 'GET',
  path: '/api/mail',
  summary: 'Get the email settings, and how sending goes.',
  access: 'admin',
  scope: 'settings',
  reply: z.object({ data: shown }),
});

/** The mail server sees all emails, password reset links included. */
export const updateMail = endpoint({
  method: 'PUT',
  path: '/api/mail',
  summary: 'Update the email settings; omitted fields are unchanged.',
  access: 'admin',
  scope: 'settings',
  reachesAll: true,
  body: z.object({
    mail: settingsChange.shape.mail.optional(),
    /** Only for the configured server; changing the server requires a new one. Null deletes it. */
    password: z
      .string()
      .min(1)
      .max(1000)
      .regex(/^[^\p{Cc}]*$/u, 'Remove the control characters.')
      .nullable()
      .optional(),
  }),
  reply: z.object({ message: z.string(), data: shown }),
});

export const testMail = endpoint({
  method: 'POST',
  path: '/api/mail/test',
  summary: 'Send a test message to your own address.',
  access: 'admin',
  scope: 'settings',
  reachesAll: true,
  bodyOptional: true,
  reply: z.object({
    message: z.string(),
    /** Problems that did not prevent saving: without a public URL, messages contain no links. */
    warnings: alwaysSent(z.array(z.object({ code: z.literal('no_public_url'), message: z.string() }))),
  }),
});
