import { z } from 'zod';
import { composed } from './composed.ts';

/** The default and the maximum page size (decision 0002). */
export const defaultLimit = 15;
export const maxLimit = 1000;

/** Keeps the offset a safe integer even with the maximum page size. */
const mostPages = 1_000_000_000_000;

/** Whole numbers of any length are accepted and clamped. */
const wholeNumber = z
  .union([
    z.number().int(),
    z
      .string()
      .regex(/^-?\d+$/, 'Send a whole number.')
      .transform((digits) => Math.max(-mostPages, Math.min(mostPages, Number(digits)))),
  ])
  .pipe(z.number());

/** Query of every list: out-of-range numbers are clamped, anything but a whole number is rejected. */
export const paging = {
  limit: wholeNumber.transform((limit) => Math.min(maxLimit, Math.max(1, limit))).default(defaultLimit),
  page: wholeNumber.transform((page) => Math.max(1, page)).default(1),
};

/** A substring filter: NFC, 2 to 100 characters; wildcards are literal. */
export const substring = z
  .string()
  .transform((text) => composed(text).trim())
  .pipe(
    z.string().min(2, 'Search for at least 2 characters.').max(100, 'Search for at most 100 characters.'),
  );

/** A text of up to `max` characters in any number of lines. */
export const freeText = (max: number) =>
  z
    .string()
    .max(max, `Use at most ${max} characters.`)
    .regex(/^(?:[^\p{Cc}]|[\t\n\r])*$/u, 'Remove the control characters.');

/**
 * An id in a body: a positive integer, or its digits as a string, because other services return some as strings
 * (decision 0002).
 */
export const identifier = z.union([
  // Abort, so that a list stops at its first invalid entry.
  z.number().int({ abort: true }).positive({ abort: true }),
  z
    .string()
    .regex(/^[1-9][0-9]{0,14}$/, 'Send an id.')
    .transform(Number),
]);

/**
 * A domain in a body: its id, host name or URL. Digits are always an id, because no host name consists of digits only.
 */
export const domainReference = z.union([identifier, z.string().max(300)]);

/** Pagination fields (contract, "Pagination envelope"). */
export const pageCounts = {
  result: z.number().int(),
  perpage: z.number().int(),
  currentpage: z.number().int(),
  nextpage: z.number().int().nullable(),
  maxpage: z.number().int(),
};

/** The envelope of a list: `{data: {result, perpage, currentpage, nextpage, maxpage, [key]: items}}`. */
export function listOf<Key extends string, Item extends z.ZodType>(key: Key, item: Item) {
  const items = { [key]: z.array(item) } as Record<Key, z.ZodArray<Item>>;
  return z.object({ data: z.object({ ...pageCounts, ...items }) });
}

/** The reply of a write that returns no data. */
export const acknowledged = z.object({ message: z.string() });

/** `YYYY-MM-DD HH:MM:SS` in the account's time zone. */
export const timestamp = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

/** A date in a request: `YYYY-MM-DD`. */
export const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'Enter a date as YYYY-MM-DD.');

/** Response members that this server always sends, although clients accept responses without them. */
const always = z.registry<{ always: true }>();

/**
 * Marks a member that this server always sends but other services may omit: optional to clients, required in the
 * OpenAPI document.
 */
export function alwaysSent<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
  const optional = schema.optional();
  always.add(optional, { always: true });
  return optional;
}

/** Whether a schema was created by `alwaysSent`. */
export function isAlwaysSent(schema: z.core.$ZodType): boolean {
  return always.has(schema as z.ZodType);
}

/** Applies `alwaysSent` to all members of an object; optional ones stay optional. */
export function loosened<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const members = Object.entries(schema.shape).map(([name, member]) => [
    name,
    member instanceof z.ZodOptional ? member : alwaysSent(member as z.ZodType),
  ]);
  return z.object(Object.fromEntries(members) as { [Key in keyof Shape]: z.ZodOptional<Shape[Key]> });
}

/** A validation error in one field of a request. */
export const fieldProblem = z.object({ field: z.string(), code: z.string(), message: z.string() });

/** The body of every error. `error` is the integer 1; other servers of the contract also send it as a string. */
export const failure = z.object({
  error: z.union([z.literal(1), z.literal('1'), z.literal(true)]),
  message: z.string(),
  code: alwaysSent(z.string()),
  field: z.string().optional(),
  errors: z.array(fieldProblem).optional(),
  id: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});
export type Failure = z.output<typeof failure>;

/** A timestamp in a request: `YYYY-MM-DD HH:MM:SS`, or a date alone, which means the end of that day. */
export const timestampInput = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?$/,
    'Enter a date as YYYY-MM-DD or a time as YYYY-MM-DD HH:MM:SS.',
  );

/** An id in a query string. */
export const digits = z
  .union([
    z.number().int(),
    z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'Send an id.')
      .transform(Number),
  ])
  .pipe(z.number().int().positive());
