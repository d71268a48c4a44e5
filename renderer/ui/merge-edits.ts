import { isSame } from './record-changes.ts';

/** A field that was changed by another user, or here, since the form was opened. */
export interface EditedField {
  readonly name: string;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Which version is used; undefined while a conflict is unresolved. */
  readonly taken: 'theirs' | 'mine' | undefined;
}

/**
 * Three-way comparison: the fields in which either edit differs from `before` or from the other, each with the version
 * to use. Fields missing from one edit are undefined there.
 */
export function editedFields<Fields extends object>(
  before: Fields,
  theirs: Fields,
  mine: Fields,
): EditedField[] {
  const names = new Set([mine, theirs].flatMap((fields) => Object.keys(fields)));
  return [...names].flatMap((name): EditedField[] => {
    const [was, other, own] = [before, theirs, mine].map((fields) => Reflect.get(fields, name) as unknown);
    if (isSame(other, own)) return [];
    const taken = isSame(own, was) ? 'theirs' : isSame(other, was) ? 'mine' : undefined;
    return [{ name, theirs: other, mine: own, taken }];
  });
}

/** The form with all choices applied; unresolved conflicts keep the user's own input. */
export function mergedFields<Fields extends object>(mine: Fields, fields: readonly EditedField[]): Fields {
  const theirs = fields.filter(({ taken }) => taken === 'theirs').map(({ name, theirs }) => [name, theirs]);
  return { ...mine, ...Object.fromEntries(theirs) };
}
