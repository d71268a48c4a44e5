import { isSame } from './record-changes.ts';

/** A field that somebody else changed, or that was changed here, since the form was opened. */
export interface EditedField {
  readonly name: string;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** Whose is taken; undefined where both changed it and nobody has chosen yet. */
  readonly taken: 'theirs' | 'mine' | undefined;
}

/**
 * The fields in which two edits of one record differ from it or from each other, each with whose is taken. A field that
 * one of them has not is undefined there.
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

/** A form as it is after the choices; what nobody has chosen yet stays as it was typed. */
export function mergedFields<Fields extends object>(mine: Fields, fields: readonly EditedField[]): Fields {
  const theirs = fields.filter(({ taken }) => taken === 'theirs').map(({ name, theirs }) => [name, theirs]);
  return { ...mine, ...Object.fromEntries(theirs) };
}
