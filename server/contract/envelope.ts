import { z } from 'zod';

/** Page size when a request names none, and the most it may ask for (decisions, section 1). */
export const defaultLimit = 15;
export const maxLimit = 100;

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

/** Query of every list: numbers out of range are clamped, anything that is no whole number is refused. */
export const paging = {
  limit: wholeNumber.transform((limit) => Math.min(maxLimit, Math.max(1, limit))).default(defaultLimit),
  page: wholeNumber.transform((page) => Math.max(1, page)).default(1),
};

/** A substring filter: NFC, at least 2 and at most 100 characters; wildcards are literal. */
export const substring = z
  .string()
  .transform((text) => text.normalize('NFC').trim())
  .pipe(
    z.string().min(2, 'Search for at least 2 characters.').max(100, 'Search for at most 100 characters.'),
  );

/** The figures around a page of results (contract, "Pagination envelope"). */
export const pageFigures = {
  result: z.number().int(),
  perpage: z.number().int(),
  currentpage: z.number().int(),
  nextpage: z.number().int().nullable(),
  maxpage: z.number().int(),
};

/** The envelope of a list: `{data: {result, perpage, currentpage, nextpage, maxpage, [key]: items}}`. */
export function listOf<Key extends string, Item extends z.ZodType>(key: Key, item: Item) {
  const items = { [key]: z.array(item) } as Record<Key, z.ZodArray<Item>>;
  return z.object({ data: z.object({ ...pageFigures, ...items }) });
}

/** The reply of a write that has nothing else to say. */
export const acknowledged = z.object({ message: z.string() });

/** `YYYY-MM-DD HH:MM:SS` in the account's time zone. */
export const timestamp = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

/** One thing that is wrong with one field of a request. */
export const fieldProblem = z.object({ field: z.string(), code: z.string(), message: z.string() });

/** The body of every failure. `error` is the integer 1; other servers of the contract also send the string. */
export const failure = z.object({
  error: z.union([z.literal(1), z.literal('1'), z.literal(true)]),
  message: z.string(),
  code: z.string().optional(),
  field: z.string().optional(),
  errors: z.array(fieldProblem).optional(),
  id: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});
export type Failure = z.output<typeof failure>;
