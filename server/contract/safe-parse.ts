import { z } from 'zod';

/**
 * What `schema.safeParse` says, also of what makes that throw: zod compares the `length` of whatever lies in the place
 * of a text or a list, and an object there cannot be compared. A stranger's JSON can be made so, and is then of the
 * wrong type at that place. A schema that throws for another reason is a mistake of ours and throws.
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
    // The class has no parameter for what its errors are about; the issues are the same for all.
    return { success: false, error: new z.ZodError([issue]) as z.ZodError<z.output<Schema>> };
  }
}

/**
 * Where an object lies whose `length` or `size` is not a number. Not by recursion: how deep it lies is the stranger's
 * choice.
 */
function placeOfOddLength(input: unknown): PropertyKey[] | undefined {
  const places: Place[] = [{ value: input }];
  // What comes from another process may lead in a circle.
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
