import { z } from 'zod';
import { versioned } from './versions.ts';

const person = z.object({ id: z.number().int(), name: z.string() });

/**
 * Edit metadata of a record: its version, and only in teams who created and last changed it; null if that user was
 * deleted or the record was never changed.
 */
export const editInfo = {
  ...versioned,
  created_by: person.nullable().optional(),
  updated_by: person.nullable().optional(),
};
export type EditInfo = z.output<z.ZodObject<typeof editInfo>>;

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
