import type { QueryOf } from '../../contract/endpoint.ts';
import { type getLinkStats, statsDimensions } from '../../contract/stats.ts';
import type { StatsRequest } from './service.ts';

/** What a query asks of statistics. */
export function statsRequest(query: QueryOf<typeof getLinkStats>, timezone: string): StatsRequest {
  const { period, from, to, compare } = query;
  const filters = Object.fromEntries(statsDimensions.map((name) => [name, query[name]]));
  return { period, from, to, compare, withBots: query.bots === '1', filters, timezone };
}
