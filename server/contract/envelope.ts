import { z } from 'zod';
import { composed } from './composed.ts';

/** Page size when a request names none, and the most it may ask for (decision 0002). */
export const defaultLimit = 15;
export const maxLimit = 1000;

/** Pages that can be told apart: with the largest size, the offset of each is still an exact number. */
const mostPages = 1_000_000_000_000;

/** However many digits it has, a whole number is one and gets clamped. */
const wholeNumber = z
  .union([
    z.number().int(),
    z
      .string()
      .regex(/^-?\d+$/, 'Send a whole number.')
      .transform((digits) => Math.max(-mostPages, Math.min(mostPages, Number(digits)))),
  ])
  .pipe(z.number());

/** Query of every list: numbers out of range are clamped, anything that is not a whole number is refused. */
export const paging = {
  limit: wholeNumber.transform((limit) => Math.min(maxLimit, Math.max(1, limit))).default(defaultLimit),
  page: wholeNumber.transform((page) => Math.max(1, page)).default(1),
};

/** A substring filter: NFC, at least 2 and at most 100 characters; wildcards are literal. */
export const substring = z
  .string()
  .transform((text) => composed(text).trim())
  .pipe(
    z.string().min(2, 'Search for at least 2 characters.').max(100, 'Search for at most 100 characters.'),
  );

/**
 * An id in a body: a positive integer, or its digits in a string, as other services of this interface hand some out
 * (decision 0002).
 */
export const identifier = z.union([
  // Nothing more is looked for in a list where one is wrong.
  z.number().int({ abort: true }).positive({ abort: true }),
  z
    .string()
    .regex(/^[1-9][0-9]{0,14}$/, 'Send an id.')
    .transform(Number),
]);

/** A domain in a body: its id, host name or address. Digits alone are an id: no host name is made of them. */
export const domainReference = z.union([identifier, z.string().max(300)]);

/** The counts around a page of results (contract, "Pagination envelope"). */
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

/** The reply of a write that has nothing else to say. */
export const acknowledged = z.object({ message: z.string() });

/** `YYYY-MM-DD HH:MM:SS` in the account's time zone. */
export const timestamp = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

/** `YYYY-MM-DD`, as a request may say it. */
export const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'Enter a date as YYYY-MM-DD.');

/** Members of replies that this server always sends, although clients take replies without them. */
const always = z.registry<{ always: true }>();

/**
 * A member that other services of this interface leave out and this server always sends: optional to clients, required
 * in the OpenAPI document.
 */
export function alwaysSent<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
  const optional = schema.optional();
  always.add(optional, { always: true });
  return optional;
}

/** Whether a member was made by `alwaysSent`. */
export function isAlwaysSent(schema: z.core.$ZodType): boolean {
  return always.has(schema as z.ZodType);
}

/** An object all of whose members are `alwaysSent`; those that were optional stay so. */
export function loosened<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const members = Object.entries(schema.shape).map(([name, member]) => [
    name,
    member instanceof z.ZodOptional ? member : alwaysSent(member as z.ZodType),
  ]);
  return z.object(Object.fromEntries(members) as { [Key in keyof Shape]: z.ZodOptional<Shape[Key]> });
}

/** One thing that is wrong with one field of a request. */
export const fieldProblem = z.object({ field: z.string(), code: z.string(), message: z.string() });

/** The body of every failure. `error` is the integer 1; other servers of the contract also send the string. */
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

/** A moment as clients write it: `YYYY-MM-DD HH:MM:SS`, or a bare date, which is the end of that day. */
export const timestampInput = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?$/,
    'Enter a date as YYYY-MM-DD or a time as YYYY-MM-DD HH:MM:SS.',
  );

/** An id in the query of a request. */
export const digits = z
  .union([
    z.number().int(),
    z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'Send an id.')
      .transform(Number),
  ])
  .pipe(z.number().int().positive());
