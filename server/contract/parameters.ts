import { z } from 'zod';
import { parameterDimensions } from './dimensions.ts';
import { endpoint } from './endpoint.ts';

/** Maximum length of a counted value; longer ones are truncated. Characters. */
export const longestParameterValue = 100;

const parameterName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/,
    'Use up to 32 letters, digits, dots, dashes and underscores, beginning with a letter or a digit.',
  );

/** The parameter names and the dimension of each. */
export const ownParameters = z.array(z.object({ name: z.string(), dimension: z.enum(parameterDimensions) }));
export type OwnParameter = z.output<typeof ownParameters>[number];

export const getParameters = endpoint({
  method: 'GET',
  path: '/api/parameters',
  summary: "List the query parameters that the account's statistics count, beside the UTM values.",
  scope: 'stats',
  reply: z.object({ data: z.object({ parameters: ownParameters }) }),
});

export const updateParameters = endpoint({
  method: 'PUT',
  path: '/api/parameters',
  summary: 'Choose the query parameters that statistics count; the whole list is replaced.',
  scope: 'stats',
  acts: 'manage',
  body: z.object({
    parameters: z
      .array(parameterName)
      .max(parameterDimensions.length, `Choose at most ${parameterDimensions.length} parameters.`),
  }),
  reply: z.object({ message: z.string(), data: z.object({ parameters: ownParameters }) }),
});
