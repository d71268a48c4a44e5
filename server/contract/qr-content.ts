import { z } from 'zod';
import { composed } from './composed.ts';
import { identifier, timestampInput } from './envelope.ts';
import { plainLine } from './sessions.ts';

/** The content types of a QR code (decision 0017). */
export const qrTypes = ['link', 'text', 'vcard', 'email', 'phone', 'sms', 'wifi', 'event', 'geo'] as const;
export type QrType = (typeof qrTypes)[number];

const lines = (max: number) =>
  z
    .string()
    .transform((text) => composed(text).replace(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .max(max, `Use at most ${max} characters.`)
        .regex(/^(?:[^\p{Cc}]|[\t\n])*$/u, 'Remove the control characters.'),
    );
const phone = z
  .string()
  .transform((text) => text.trim())
  .pipe(
    z
      .string()
      .regex(/^\+?[\d\s()./-]{2,30}$/, 'Enter the number as digits, with a + before the country code.'),
  );
const email = z
  .string()
  .transform((text) => text.trim())
  .pipe(
    z
      .string()
      .max(254)
      .regex(/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/, 'Enter an email address.'),
  );
const optional = (max: number) => plainLine(max).nullish();
const emptyOr = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal('').transform(() => null), schema]).nullish();

const latitude = z
  .number()
  .min(-90, 'Use a latitude from -90 to 90.')
  .max(90, 'Use a latitude from -90 to 90.');
const longitude = z
  .number()
  .min(-180, 'Use a longitude from -180 to 180.')
  .max(180, 'Use a longitude from -180 to 180.');

/** Case-insensitive, because services differ in spelling (decision 0017). */
const encryptions = ['WPA', 'WEP', 'nopass'] as const;
const encryption = z
  .string()
  .transform((text) => encryptions.find((known) => known.toLowerCase() === text.toLowerCase()) ?? text)
  .pipe(z.enum(encryptions));

/**
 * The content schema of each type. Types with a single text field also accept a plain string, as sent by clients of
 * other installations.
 */
export const qrContents = {
  /** A URL, the id of one of the account's links, or its short URL. */
  link: z.union([
    z
      .string()
      .max(8192)
      .transform((url) => ({ url })),
    z.object({ link: identifier }),
    z.object({ url: z.string().min(1, 'Enter the URL the code opens.').max(8192) }),
  ]),
  text: z
    .union([z.string().transform((text) => ({ text })), z.object({ text: z.string() })])
    .pipe(z.object({ text: lines(2000).pipe(z.string().min(1, 'Enter the text.')) })),
  vcard: z
    .object({
      firstname: optional(100),
      lastname: optional(100),
      organization: optional(150),
      title: optional(150),
      phone: emptyOr(phone),
      mobile: emptyOr(phone),
      email: emptyOr(email),
      website: optional(500),
      street: optional(200),
      city: optional(100),
      region: optional(100),
      zip: optional(20),
      country: optional(100),
      note: lines(500).nullish(),
    })
    .refine(({ firstname, lastname, organization }) => firstname || lastname || organization, {
      path: ['firstname'],
      message: 'Enter a name or an organization.',
    }),
  email: z
    .union([
      z.string().transform((text) => ({ email: text })),
      z
        .object({ email: z.string(), subject: z.unknown(), message: z.unknown() })
        .partial({ subject: true, message: true }),
    ])
    .pipe(z.object({ email, subject: optional(200), message: lines(1000).nullish() })),
  phone: z
    .union([z.string().transform((text) => ({ phone: text })), z.object({ phone: z.string() })])
    .pipe(z.object({ phone })),
  sms: z
    .union([
      z.string().transform((text) => ({ phone: text })),
      z.object({ phone: z.string(), message: z.unknown() }).partial({ message: true }),
    ])
    .pipe(z.object({ phone, message: lines(500).nullish() })),
  wifi: z
    .object({
      ssid: z
        .string()
        .min(1, 'Enter the network name.')
        .max(32, 'Use at most 32 characters for the network name.')
        .regex(/^[^\p{Cc}]*$/u, 'Remove the control characters.'),
      encryption: encryption.default('WPA'),
      password: z
        .string()
        .max(63, 'Use at most 63 characters.')
        .regex(/^[^\p{Cc}]*$/u, 'Remove the control characters.')
        .nullish(),
      hidden: z.boolean().default(false),
    })
    .refine(({ encryption, password }) => encryption === 'nopass' || password, {
      path: ['password'],
      message: 'Enter the network password.',
    })
    // Access points reject shorter passphrases, so the code would not work (IEEE 802.11).
    .refine(({ encryption, password }) => encryption !== 'WPA' || !password || password.length >= 8, {
      path: ['password'],
      message: 'Use 8 to 63 characters for a WPA password.',
    }),
  /** Times are in the account's time zone; dates alone make it an all-day event. */
  event: z.object({
    title: plainLine(200).pipe(z.string().min(1, 'Enter the event name.')),
    start: timestampInput,
    end: z.union([z.literal('').transform(() => null), timestampInput]).nullish(),
    location: optional(200),
    description: lines(1000).nullish(),
  }),
  geo: z
    .union([
      z
        .string()
        .regex(
          /^\s*-?\d{1,3}(\.\d+)?\s*,\s*-?\d{1,3}(\.\d+)?\s*$/,
          'Enter latitude and longitude: 52.5163, 13.3777.',
        )
        .transform((text) => {
          const [first, second] = text.split(',').map(Number);
          return { latitude: first, longitude: second, label: undefined };
        }),
      z.object({ latitude: z.number(), longitude: z.number(), label: z.string().nullish() }),
    ])
    .pipe(z.object({ latitude, longitude, label: optional(100) })),
} satisfies Record<QrType, z.ZodType>;

/** The validated content by type. */
export type QrContent = {
  [Type in QrType]: { type: Type; content: z.output<(typeof qrContents)[Type]> };
}[QrType];
