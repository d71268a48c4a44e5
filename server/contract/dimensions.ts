// Without zod, because the thread of statistics loads it.

/** Statistics dimensions for an account's own query parameters, in order. */
export const parameterDimensions = ['param1', 'param2', 'param3', 'param4', 'param5'] as const;
export type ParameterDimension = (typeof parameterDimensions)[number];

/**
 * Dimensions stored with each click. `source` is link, qr, rotator, bio or api; `param1` etc. are the account's own
 * parameters; `edge` is the name of the fleet edge that answered, empty for this server.
 */
export const loggedDimensions = [
  'country',
  'region',
  'city',
  'referrer',
  'browser',
  'os',
  'device',
  'language',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  ...parameterDimensions,
  'edge',
] as const;
export type LoggedDimension = (typeof loggedDimensions)[number];
