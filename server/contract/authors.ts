import { z } from 'zod';

const person = z.object({ id: z.number().int(), name: z.string() });

/** Who created a record and who changed it last; in teams alone, and null for who is gone or for a record never changed. */
export const authors = {
  created_by: person.nullable().optional(),
  updated_by: person.nullable().optional(),
};
export type Authors = { [Name in keyof typeof authors]?: z.output<typeof person> | null };

/** Query of a list: only what this person created. Whoever is unknown has created nothing. */
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
