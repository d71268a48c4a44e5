import { z } from 'zod';
import { versioned } from './versions.ts';

const person = z.object({ id: z.number().int(), name: z.string() });

/**
 * What a record tells of its edits: its version, and in teams alone who created it and who changed it last, null for
 * who is gone or for a record never changed.
 */
export const marks = {
  ...versioned,
  created_by: person.nullable().optional(),
  updated_by: person.nullable().optional(),
};
export type Marks = z.output<z.ZodObject<typeof marks>>;

/** Query of a list: only records that this person created; none for unknown ids. */
export const memberFilter = {
  member: z
    .union([
      z.number().int(),
      z
        .string()
        .regex(/^-?\d{1,15}$/, 'Send an id.')
        .transform(Number),
    ])
    .pipe(z.number().int())
    .optional(),
};
