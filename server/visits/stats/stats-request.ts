import type { QueryOf } from '../../contract/endpoint.ts';
import type { getLinkStats } from '../../contract/stats.ts';
import type { UserRow } from '../../platform/http/caller.ts';
import { readNames } from '../parameters/own-parameters.ts';
import { filtersOf } from './chosen-values.ts';
import type { StatsRequest } from './service.ts';

/** What a query asks of statistics. */
export function statsRequest(
  query: QueryOf<typeof getLinkStats>,
  { timezone, parameters }: Pick<UserRow, 'timezone' | 'parameters'>,
): StatsRequest {
  const { period, from, to, compare, comparefrom, compareto } = query;
  return {
    period,
    from,
    to,
    compare,
    comparefrom,
    compareto,
    withBots: query.bots === '1',
    filters: filtersOf(query),
    timezone,
    parameters: readNames(parameters),
  };
}
