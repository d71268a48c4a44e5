import { z } from 'zod';

/**
 * Like `schema.safeParse`, but also handles input that makes zod throw: it compares the `length` of a value in place of
 * a string or list, which throws if that is an object. Untrusted JSON can trigger this, and is reported as a type error
 * at that path. Other exceptions are bugs and are rethrown.
 */
export function safeParse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  context?: z.core.ParseContext<z.core.$ZodIssue>,
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(input, context);
  } catch (error) {
    const path = placeOfOddLength(input);
    if (path === undefined) throw error;
    const issue: z.core.$ZodIssue = {
      code: 'invalid_type',
      expected: 'string',
      path,
      message: 'Wrong type.',
    };
    // The error type is generic, but the issues are the same for all.
    return { success: false, error: new z.ZodError([issue]) as z.ZodError<z.output<Schema>> };
  }
}

/**
 * The path of an object whose `length` or `size` is not a number. Not recursive, because untrusted input can be nested
 * deeply.
 */
function placeOfOddLength(input: unknown): PropertyKey[] | undefined {
  const places: Place[] = [{ value: input }];
  // Input from another process may contain cycles.
  const seen = new Set<object>();
  for (let place = places.pop(); place; place = places.pop()) {
    const { value } = place;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [name, inner] of Object.entries(value)) {
      if ((name === 'length' || name === 'size') && !isComparable(inner)) return pathOf(place);
      places.push({ value: inner, name: Array.isArray(value) ? Number(name) : name, within: place });
    }
  }
  return undefined;
}

interface Place {
  readonly value: unknown;
  readonly name?: PropertyKey;
  readonly within?: Place;
}

function isComparable(value: unknown): boolean {
  return typeof value !== 'object' && typeof value !== 'symbol';
}

function pathOf(place: Place): PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at: Place | undefined = place; at?.name !== undefined; at = at.within) path.unshift(at.name);
  return path;
}
