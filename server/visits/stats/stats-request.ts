import type { QueryOf } from '../../contract/endpoint.ts';
import { type getLinkStats, statsDimensions } from '../../contract/stats.ts';
import type { Filters } from './filter-queries.ts';
import type { StatsRequest } from './service.ts';

/** What a query asks of statistics. */
export function statsRequest(query: QueryOf<typeof getLinkStats>, timezone: string): StatsRequest {
  const { period, from, to, compare } = query;
  return { period, from, to, compare, withBots: query.bots === '1', filters: filtersOf(query), timezone };
}

/** The filters among what a query asks for. */
export function filtersOf(query: Filters): Filters {
  return Object.fromEntries(statsDimensions.map((name) => [name, query[name]]));
}
